;; Takeuchi's function on lists as numbers (Gabriel).
(define (listn n) (if (= n 0) '() (cons n (listn (- n 1)))))
(define (shorterp x y) (and (not (null? y)) (or (null? x) (shorterp (cdr x) (cdr y)))))
(define (mas x y z)
  (if (not (shorterp y x)) z (mas (mas (cdr x) y z) (mas (cdr y) z x) (mas (cdr z) x y))))
(display (length (mas (listn 18) (listn 12) (listn 6)))) (newline)
