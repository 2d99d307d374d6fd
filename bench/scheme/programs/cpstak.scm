;; Takeuchi's function in continuation-passing style (Gabriel): closures.
(define (cpstak x y z)
  (define (tak x y z k)
    (if (not (< y x))
        (k z)
        (tak (- x 1) y z
             (lambda (v1)
               (tak (- y 1) z x
                    (lambda (v2)
                      (tak (- z 1) x y
                           (lambda (v3) (tak v1 v2 v3 k)))))))))
  (tak x y z (lambda (a) a)))
(define (run n) (if (= n 0) (cpstak 18 12 6) (begin (cpstak 18 12 6) (run (- n 1)))))
(display (run 10)) (newline)
