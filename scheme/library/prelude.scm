;; SPDX-License-Identifier: MIT OR Apache-2.0
;;
;; The part of the library that is written in Scheme. It is read when an instance begins, in the core environment. Names that
;; begin with % are the library's own; the libraries of the report do not export them.

(define (caaar x) (car (caar x)))
(define (caadr x) (car (cadr x)))
(define (cadar x) (car (cdar x)))
(define (caddr x) (car (cddr x)))
(define (cdaar x) (cdr (caar x)))
(define (cdadr x) (cdr (cadr x)))
(define (cddar x) (cdr (cdar x)))
(define (cdddr x) (cdr (cddr x)))
(define (caaaar x) (car (caaar x)))
(define (caaadr x) (car (caadr x)))
(define (caadar x) (car (cadar x)))
(define (caaddr x) (car (caddr x)))
(define (cadaar x) (car (cdaar x)))
(define (cadadr x) (car (cdadr x)))
(define (caddar x) (car (cddar x)))
(define (cadddr x) (car (cdddr x)))
(define (cdaaar x) (cdr (caaar x)))
(define (cdaadr x) (cdr (caadr x)))
(define (cdadar x) (cdr (cadar x)))
(define (cdaddr x) (cdr (caddr x)))
(define (cddaar x) (cdr (cdaar x)))
(define (cddadr x) (cdr (cdadr x)))
(define (cdddar x) (cdr (cddar x)))
(define (cddddr x) (cdr (cdddr x)))

;; Continuations and dynamic-wind (section 6.10). A winder is (before . after).

(define call-with-current-continuation %call/cc)
(define call/cc %call/cc)
(define (call-with-values producer consumer) (%apply-values consumer (producer)))

(define (dynamic-wind before thunk after)
  (before)
  (%set-winders! (cons (cons before after) (%winders)))
  (let ((result (thunk)))
    (%set-winders! (cdr (%winders)))
    (after)
    result))

;; Called in place of a continuation whose winders are not those of now: leaves and enters what lies between.
(define (%rewind k result)
  (define to (%continuation-winders k))
  (define (common a la b lb)
    (cond ((> la lb) (common (cdr a) (- la 1) b lb))
          ((> lb la) (common a la (cdr b) (- lb 1)))
          ((eq? a b) a)
          (else (common (cdr a) (- la 1) (cdr b) (- lb 1)))))
  (define base (common (%winders) (length (%winders)) to (length to)))
  (define (leave)
    (if (not (eq? (%winders) base))
        (let ((w (car (%winders))))
          (%set-winders! (cdr (%winders)))
          ((cdr w))
          (leave))))
  (define (enter list)
    (if (not (eq? list base))
        (begin
          (enter (cdr list))
          ((car (car list)))
          (%set-winders! list))))
  (leave)
  (enter to)
  (%throw k result))
(%set-hook! 1 %rewind)

;; Parameters (section 4.2.6).

(define (make-parameter value . converter)
  (if (null? converter)
      (%make-parameter value #f)
      (%make-parameter ((car converter) value) (car converter))))

(define (%parameterize bindings thunk)
  (define old (%parameters))
  (define (convert bindings)
    (if (null? bindings)
        old
        (let* ((p (car (car bindings)))
               (value (cdr (car bindings)))
               (converter (%parameter-converter p))
               (converted (if converter (converter value) value)))
          (cons (cons p converted) (convert (cdr bindings))))))
  (%set-parameters! (convert bindings))
  (let ((result (thunk)))
    (%set-parameters! old)
    result))

;; Exceptions (section 6.11). The handlers of now are a list, the innermost first.

(define (with-exception-handler handler thunk)
  (if (not (procedure? handler)) (error "with-exception-handler: no procedure" handler))
  (let ((old (%handlers)))
    (%set-handlers! (cons handler old))
    (let ((result (thunk)))
      (%set-handlers! old)
      result)))

(define (%call-handler object continuable?)
  (let ((old (%handlers)))
    (if (null? old)
        (%uncaught object)
        (begin
          (%set-handlers! (cdr old))
          (let ((result ((car old) object)))
            (if continuable?
                (begin (%set-handlers! old) result)
                (begin
                  (%set-handlers! (cdr old))
                  (raise (%make-condition "a handler returned from what cannot be continued" (list object))))))))))

(define (raise object) (%call-handler object #f))
(define (raise-continuable object) (%call-handler object #t))
(define (%raise-hook object) (%call-handler object #f))
(%set-hook! 0 %raise-hook)

(define (error message . irritants) (raise (%make-condition message irritants)))

(define (%guard handler body)
  ((%call/cc
    (lambda (k)
      (let ((result
             (with-exception-handler
              (lambda (object) (k (lambda () (handler object))))
              body)))
        (lambda () result))))))

(define (%guard-reraise handler body)
  ((%call/cc
    (lambda (k)
      (let ((result
             (with-exception-handler
              (lambda (object)
                ((%call/cc
                  (lambda (back)
                    (k (lambda ()
                         (handler object
                                  (lambda () (back (lambda () (raise-continuable object)))))))))))
              body)))
        (lambda () result))))))

(define (read-error? x) (eqv? (%condition-kind x) 1))
(define (file-error? x) (eqv? (%condition-kind x) 2))

;; Promises (section 4.2.5), as the report's own sketch has them.

(define (force promise)
  (if (promise? promise)
      (let ((cell (%promise-cell promise)))
        (if (car cell)
            (cdr cell)
            (let* ((next ((cdr cell)))
                   (cell (%promise-cell promise)))
              (if (not (car cell))
                  (let ((other (%promise-cell next)))
                    (set-car! cell (car other))
                    (set-cdr! cell (cdr other))
                    (%set-promise-cell! next cell)))
              (force promise))))
      promise))

;; Lists.

(define (member x list . compare)
  (if (null? compare)
      (%member x list)
      (let ((same? (car compare)))
        (let loop ((l list))
          (cond ((null? l) #f)
                ((same? x (car l)) l)
                (else (loop (cdr l))))))))

(define (assoc x list . compare)
  (if (null? compare)
      (%assoc x list)
      (let ((same? (car compare)))
        (let loop ((l list))
          (cond ((null? l) #f)
                ((same? x (car (car l))) (car l))
                (else (loop (cdr l))))))))

(define (list-set! list k x) (set-car! (list-tail list k) x))

(define (%any-null? lists)
  (cond ((null? lists) #f)
        ((pair? (car lists)) (%any-null? (cdr lists)))
        (else #t)))
(define (%cars lists) (if (null? lists) '() (cons (car (car lists)) (%cars (cdr lists)))))
(define (%cdrs lists) (if (null? lists) '() (cons (cdr (car lists)) (%cdrs (cdr lists)))))

(define (map f list . more)
  (if (null? more)
      (let loop ((l list))
        (if (pair? l)
            (let ((first (f (car l)))) (cons first (loop (cdr l))))
            '()))
      (let loop ((lists (cons list more)))
        (if (%any-null? lists)
            '()
            (let ((first (apply f (%cars lists)))) (cons first (loop (%cdrs lists))))))))

(define (for-each f list . more)
  (if (null? more)
      (let loop ((l list))
        (if (pair? l) (begin (f (car l)) (loop (cdr l)))))
      (let loop ((lists (cons list more)))
        (if (not (%any-null? lists))
            (begin (apply f (%cars lists)) (loop (%cdrs lists)))))))

(define (%least-length length-of first more)
  (let loop ((n (length-of first)) (more more))
    (if (null? more) n (loop (min n (length-of (car more))) (cdr more)))))

(define (vector-map f v . more)
  (if (null? more)
      (list->vector (map f (vector->list v)))
      (list->vector (apply map f (vector->list v) (map vector->list more)))))

(define (vector-for-each f v . more)
  (if (null? more)
      (let ((n (vector-length v)))
        (let loop ((i 0))
          (if (< i n) (begin (f (vector-ref v i)) (loop (+ i 1))))))
      (apply for-each f (vector->list v) (map vector->list more))))

(define (string-map f s . more)
  (list->string (apply map f (string->list s) (map string->list more))))

(define (string-for-each f s . more)
  (apply for-each f (string->list s) (map string->list more)))

;; Characters and strings without regard to case.

(define (%folded compare fold) (lambda args (apply compare (map fold args))))
(define char-ci=? (%folded char=? char-foldcase))
(define char-ci<? (%folded char<? char-foldcase))
(define char-ci>? (%folded char>? char-foldcase))
(define char-ci<=? (%folded char<=? char-foldcase))
(define char-ci>=? (%folded char>=? char-foldcase))
(define string-ci=? (%folded string=? string-foldcase))
(define string-ci<? (%folded string<? string-foldcase))
(define string-ci>? (%folded string>? string-foldcase))
(define string-ci<=? (%folded string<=? string-foldcase))
(define string-ci>=? (%folded string>=? string-foldcase))

;; The simplest rational within y of x (section 6.2.6), by continued fractions.

(define (%simplest low high)
  (let ((n (floor low)))
    (cond ((= n low) n)
          ((< n (floor high)) (+ n 1))
          (else (+ n (/ 1 (%simplest (/ 1 (- high n)) (/ 1 (- low n)))))))))

(define (rationalize x y)
  (if (or (not (finite? x)) (not (finite? y)))
      (cond ((or (nan? x) (nan? y)) +nan.0)
            ((infinite? y) (if (infinite? x) +nan.0 0.0))
            (else (inexact x)))
      (let ((low (- x (abs y))) (high (+ x (abs y))))
        (cond ((> low 0) (%simplest low high))
              ((< high 0) (- (%simplest (- high) (- low))))
              (else (if (and (exact? x) (exact? y)) 0 0.0))))))

(define (real-part x) x)
(define (imag-part x) 0)
(define (angle x) (if (negative? x) 3.141592653589793 (if (exact? x) 0 0.0)))

;; Ports (section 6.13).

(define current-input-port (%make-parameter (%standard-port 0) #f))
(define current-output-port (%make-parameter (%standard-port 1) #f))
(define current-error-port (%make-parameter (%standard-port 2) #f))

(define (%in port) (if (null? port) (current-input-port) (car port)))
(define (%out port) (if (null? port) (current-output-port) (car port)))

(define (read . port) (%read (%in port) #f))
(define (read-char . port) (%read-char (%in port)))
(define (peek-char . port) (%peek-char (%in port)))
(define (read-line . port) (%read-line (%in port)))
(define (read-string k . port) (%read-string k (%in port)))
(define (char-ready? . port) (%ready? (%in port)))
(define (read-u8 . port) (%read-u8 (%in port)))
(define (peek-u8 . port) (%peek-u8 (%in port)))
(define (u8-ready? . port) (%ready? (%in port)))

(define (read-bytevector! to . rest)
  (let* ((port (%in rest))
         (start (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) 0))
         (end (if (and (pair? rest) (pair? (cdr rest)) (pair? (cddr rest))) (caddr rest) (bytevector-length to))))
    (let loop ((i start))
      (if (< i end)
          (let ((b (%read-u8 port)))
            (if (eof-object? b)
                (if (= i start) b (- i start))
                (begin (bytevector-u8-set! to i b) (loop (+ i 1)))))
          (- i start)))))

(define (read-bytevector k . port)
  (let* ((to (make-bytevector k))
         (n (read-bytevector! to (%in port))))
    (cond ((eof-object? n) n)
          ((= n k) to)
          (else (bytevector-copy to 0 n)))))

(define (display x . port) (%write x (%out port) 0))
(define (write x . port) (%write x (%out port) 1))
(define (write-shared x . port) (%write x (%out port) 2))
(define (write-simple x . port) (%write x (%out port) 3))
(define (newline . port) (%write-char #\newline (%out port)))
(define (write-char c . port) (%write-char c (%out port)))
(define (write-string s . rest)
  (if (or (null? rest) (null? (cdr rest)))
      (%write-string s (%out rest))
      (apply %write-string s rest)))
(define (write-u8 b . port) (%write-u8 b (%out port)))
(define (write-bytevector b . rest)
  (if (or (null? rest) (null? (cdr rest)))
      (%write-bytevector b (%out rest))
      (apply %write-bytevector b rest)))
(define (flush-output-port . port) (%flush (%out port)))

(define (open-input-file name) (%open-input-file name #f))
(define (open-output-file name) (%open-output-file name #f))
(define (open-binary-input-file name) (%open-input-file name #t))
(define (open-binary-output-file name) (%open-output-file name #t))

(define (call-with-port port f)
  (let ((result (f port)))
    (close-port port)
    result))
(define (call-with-input-file name f) (call-with-port (open-input-file name) f))
(define (call-with-output-file name f) (call-with-port (open-output-file name) f))
(define (with-input-from-file name thunk)
  (let* ((port (open-input-file name))
         (result (%parameterize (list (cons current-input-port port)) thunk)))
    (close-port port)
    result))
(define (with-output-to-file name thunk)
  (let* ((port (open-output-file name))
         (result (%parameterize (list (cons current-output-port port)) thunk)))
    (close-port port)
    result))

;; Evaluation (section 6.12) and programs.

(define (eval expression . environment)
  ((%compile expression (if (null? environment) (%user-environment) (car environment)))))
(define (environment . sets) (apply %make-environment sets))
(define (interaction-environment) (%user-environment))
(define (scheme-report-environment version) (%core-environment))
(define (null-environment version) (%core-environment))

;; Forms are read one after the other, since a form may change how the next is read. But names that the file will define do
;; not mean the library's procedures in the forms before.
(define (%load-port port name environment)
  (define (forms)
    (let ((form (%read port #t)))
      (if (eof-object? form) '() (cons form (forms)))))
  (define all (forms))
  (for-each (lambda (form) (%predefine form environment)) all)
  (let loop ((all all) (result (if #f #f)))
    (if (null? all)
        result
        (loop (cdr all) ((%compile (car all) environment name))))))

(define (load name . environment)
  (let ((port (open-input-file name)))
    (%load-port port name (if (null? environment) (%user-environment) (car environment)))
    (close-port port)))

(define (command-line) (%arguments))
(define (get-environment-variables) '())

(define (%unwind)
  (if (pair? (%winders))
      (let ((w (car (%winders))))
        (%set-winders! (cdr (%winders)))
        ((cdr w))
        (%unwind))))

(define (exit . status)
  (%unwind)
  (%exit (if (null? status) #t (car status))))
(define (emergency-exit . status) (%exit (if (null? status) #t (car status))))

(define void (lambda () (if #f #f)))
(define (iota n . rest)
  (let ((start (if (pair? rest) (car rest) 0))
        (step (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) 1)))
    (let loop ((i (- n 1)) (out '()))
      (if (< i 0) out (loop (- i 1) (cons (+ start (* i step)) out))))))

;; Messages.

(define (%report object port)
  (if (error-object? object)
      (begin
        (%write-string "error: " port)
        (%write (error-object-message object) port 0)
        (for-each (lambda (x) (%write-char #\space port) (%write x port 1)) (error-object-irritants object)))
      (begin
        (%write-string "error: uncaught: " port)
        (%write object port 1)))
  (%write-char #\newline port))

(define (%report-frame frame port)
  (let ((name (car frame)) (file (cadr frame)) (line (caddr frame)) (column (cadddr frame)))
    (if (and file (> line 0))
        (begin
          (%write-string "  at " port)
          (%write file port 0)
          (%write-char #\: port)
          (%write line port 0)
          (%write-char #\: port)
          (%write column port 0)
          (if name (begin (%write-string " in " port) (%write name port 0)))
          (%write-char #\newline port)))))

(define %uncaught-continuation #f)

(define (%uncaught object)
  (let ((port (%standard-port 2)))
    (%flush (%standard-port 1))
    (%report object port)
    (for-each (lambda (frame) (%report-frame frame port)) (%backtrace))
    (if %uncaught-continuation
        (%uncaught-continuation #f)
        (%exit 70))))

(define (%print-result x port)
  (if (not (eq? x (if #f #f)))
      (begin (%write x port 1) (%write-char #\newline port))))

(define (%run-file name)
  (let ((port (open-input-file name)))
    (%load-port port name (%user-environment))
    (exit)))

(define (%run-expression text)
  (let ((port (open-input-string text)))
    (let loop ((result (if #f #f)))
      (let ((form (%read port #t)))
        (if (eof-object? form)
            (%print-result result (%standard-port 1))
            (loop ((%compile form (%user-environment) "-e"))))))
    (exit)))

(define (%run-input)
  (%load-port (%standard-port 0) "-" (%user-environment))
  (exit))

(define (%repl)
  (define in (%standard-port 0))
  (define out (%standard-port 1))
  (define (turn)
    (%write-string "> " out)
    (%flush out)
    (let ((form (%read in #t)))
      (if (eof-object? form)
          (begin (%write-char #\newline out) (exit))
          (begin
            (%print-result ((%compile form (%user-environment) "repl")) out)
            (turn)))))
  (%call/cc (lambda (k) (set! %uncaught-continuation k)))
  (%set-handlers! '())
  (turn))
