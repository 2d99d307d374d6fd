;; Runs the test files that the command line names: each check is (test expected expression), which compares by equal?, or
;; (test-error expression), which wants an error. Prints what fails, and at the end `N passed, M failed`.

(define %passed 0)
(define %failed 0)
(define (%fail expression expected result)
  (set! %failed (+ %failed 1))
  (display "FAIL ") (write expression)
  (display "\n  expected ") (write expected)
  (display "\n  found    ") (write result) (newline))
(define (%check expression expected thunk)
  (let ((result (guard (e (#t (if (error-object? e)
                                  (list 'error (error-object-message e) (error-object-irritants e))
                                  (list 'raised e))))
                  (thunk))))
    (if (or (equal? result expected)
            (and (number? result) (number? expected) (inexact? expected) (inexact? result)
                 (or (= result expected) (< (abs (- result expected)) (* 1e-12 (abs expected))))))
        (set! %passed (+ %passed 1))
        (%fail expression expected result))))
(define-syntax test
  (syntax-rules ()
    ((_ expected expression) (%check 'expression expected (lambda () expression)))))
(define-syntax test-error
  (syntax-rules ()
    ((_ expression) (%check 'expression 'an-error (lambda () (guard (e (#t 'an-error)) expression))))))

(for-each
 (lambda (name) (load name))
 (cdr (command-line)))
(display %passed) (display " passed, ") (display %failed) (display " failed") (newline)
(exit (if (= %failed 0) 0 1))
