;; Division by two of lists as numbers, by recursion (Gabriel).
(define (create-n n) (do ((n n (- n 1)) (a '() (cons '() a))) ((= n 0) a)))
(define l (create-n 200))
(define (div2 l) (cond ((null? l) '()) (else (cons (car l) (div2 (cddr l))))))
(define (run n) (let loop ((i 0) (r '())) (if (= i n) r (loop (+ i 1) (div2 l)))))
(display (length (run 10000))) (newline)
