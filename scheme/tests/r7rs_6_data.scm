;; Sections 6.1 and 6.3 to 6.9 of the report: equivalence, booleans, lists, symbols, characters, strings, vectors, bytevectors.

;; 6.1
(test #t (eqv? 'a 'a)) (test #f (eqv? 'a 'b)) (test #t (eqv? 2 2)) (test #f (eqv? 2 2.0)) (test #t (eqv? '() '())) (test #t (eqv? 100000000 100000000))
(test #f (eqv? 0.0 +nan.0)) (test #f (eqv? (cons 1 2) (cons 1 2))) (test #f (eqv? (lambda () 1) (lambda () 2))) (test #t (let ((p (lambda (x) x))) (eqv? p p))) (test #f (eqv? #f 'nil))
(define gen-counter (lambda () (let ((n 0)) (lambda () (set! n (+ n 1)) n))))
(test #t (let ((g (gen-counter))) (eqv? g g))) (test #f (eqv? (gen-counter) (gen-counter)))
(test #t (let ((x '(a))) (eqv? x x))) (test #t (eq? 'a 'a)) (test #f (eq? (list 'a) (list 'a))) (test #t (eq? '() '())) (test #t (eq? car car)) (test #t (let ((x '#())) (eq? x x)))
(test #t (equal? 'a 'a)) (test #t (equal? '(a) '(a))) (test #t (equal? '(a (b) c) '(a (b) c))) (test #t (equal? "abc" "abc")) (test #t (equal? 2 2)) (test #t (equal? (make-vector 5 'a) (make-vector 5 'a)))
(test #f (equal? "abc" "abd")) (test #f (equal? '(1 2) '(1 2 3))) (test #t (equal? #u8(1 2) #u8(1 2))) (test #f (equal? #u8(1 2) #u8(1 3))) (test #t (equal? #\a #\a)) (test #f (equal? #(1 2) '(1 2)))
(test #t (equal? '#1=(a b . #1#) '#2=(a b a b . #2#)))
(define (deep n) (let loop ((i 0) (x '())) (if (= i n) x (loop (+ i 1) (list x)))))
(test #t (equal? (deep 200000) (deep 200000))) (test #f (equal? (deep 1000) (deep 1001)))
;; 6.3
(test #f (not 3)) (test #f (not (list 3))) (test #t (not #f)) (test #f (not '())) (test #t (boolean? #f)) (test #f (boolean? 0)) (test #f (boolean? '()))
;; 6.4
(test #t (pair? '(a . b))) (test #t (pair? '(a b c))) (test #f (pair? '())) (test #f (pair? '#(a b)))
(test '(a) (cons 'a '())) (test '((a) b c d) (cons '(a) '(b c d))) (test '("a" b c) (cons "a" '(b c))) (test '(a . 3) (cons 'a 3)) (test '((a b) . c) (cons '(a b) 'c))
(test 'a (car '(a b c))) (test '(a) (car '((a) b c d))) (test 1 (car '(1 . 2))) (test-error (car '())) (test '(b c d) (cdr '((a) b c d))) (test 2 (cdr '(1 . 2))) (test-error (cdr '()))
(test '(3 . 2) (let ((p (cons 1 2))) (set-car! p 3) p)) (test 'd (cadddr '(a b c d))) (test '(c) (cddr '(a b c))) (test 1 (caar '((1) 2))) (test '(2) (cdar '((1 2)))) (test-error (cadr '(1)))
(test #t (list? '(a b c))) (test #t (list? '())) (test #f (list? '(a . b))) (test #f (let ((x (list 'a))) (set-cdr! x x) (list? x)))
(test '(3 3) (make-list 2 3)) (test '(a 7 c) (list 'a (+ 3 4) 'c)) (test '() (list)) (test 3 (length '(a b c))) (test 3 (length '(a (b) (c d e)))) (test 0 (length '())) (test-error (length '(1 . 2))) (test-error (length 5))
(test '(x y) (append '(x) '(y))) (test '(a b c d) (append '(a) '(b c d))) (test '(a (b) (c)) (append '(a (b)) '((c)))) (test '(a b c . d) (append '(a b) '(c . d))) (test 'a (append '() 'a)) (test '() (append)) (test '(1 2 3 4) (append '(1) '(2) '(3 4) '()))
(test '(c b a) (reverse '(a b c))) (test '((e (f)) d (b c) a) (reverse '(a (b c) d (e (f))))) (test '(c d) (list-tail '(a b c d) 2)) (test 'c (list-ref '(a b c d) 2)) (test 'c (list-ref '(a b c d) (exact (round 1.8)))) (test-error (list-ref '(a) 1))
(test '(one two three) (let ((ls (list 'one 'two 'five!))) (list-set! ls 2 'three) ls))
(test '(a b c) (memq 'a '(a b c))) (test '(b c) (memq 'b '(a b c))) (test #f (memq 'd '(a b c))) (test #f (memq (list 'a) '(b (a) c))) (test '((a) c) (member (list 'a) '(b (a) c))) (test '("b" "c") (member "B" '("a" "b" "c") string-ci=?)) (test '(101 102) (memv 101 '(100 101 102))) (test '(2.0 3) (member 2.0 '(1 2.0 3) =))
(define e '((a 1) (b 2) (c 3)))
(test '(a 1) (assq 'a e)) (test '(b 2) (assq 'b e)) (test #f (assq 'd e)) (test #f (assq (list 'a) '(((a)) ((b)) ((c))))) (test '((a)) (assoc (list 'a) '(((a)) ((b)) ((c))))) (test '(2 4) (assoc 2.0 '((1 1) (2 4) (3 9)) =)) (test '(5 7) (assv 5 '((2 3) (5 7) (11 13))))
(test '((3 8 2 8) (1 8 2 8)) (let* ((a '(1 8 2 8)) (b (list-copy a))) (set-car! b 3) (list b a))) (test 5 (list-copy 5))
;; 6.5
(test #t (symbol? 'foo)) (test #t (symbol? (car '(a b)))) (test #f (symbol? "bar")) (test #t (symbol? 'nil)) (test #f (symbol? '())) (test #f (symbol? #f)) (test #t (symbol=? 'a 'a 'a)) (test #f (symbol=? 'a 'b))
(test "flying-fish" (symbol->string 'flying-fish)) (test "Martin" (symbol->string 'Martin)) (test "Malvina" (symbol->string (string->symbol "Malvina"))) (test 'mISSISSIppi (string->symbol "mISSISSIppi")) (test #t (eqv? 'bitBlt (string->symbol "bitBlt"))) (test #t (eqv? 'LollyPop (string->symbol (symbol->string 'LollyPop)))) (test #t (string=? "K. Harper, M.D." (symbol->string (string->symbol "K. Harper, M.D."))))
(test '|hello world| (string->symbol "hello world")) (test 'ab '|a\x62;|) (test "a b" (symbol->string '|a b|))
;; 6.6
(test #t (char? #\a)) (test #f (char? "a")) (test 97 (char->integer #\a)) (test #\A (integer->char 65)) (test #\x41 #\A) (test #\space #\ ) (test 10 (char->integer #\newline)) (test 955 (char->integer #\λ)) (test 7 (char->integer #\alarm)) (test 0 (char->integer #\null)) (test 127 (char->integer #\delete)) (test 27 (char->integer #\escape)) (test 8 (char->integer #\backspace)) (test 13 (char->integer #\return)) (test 9 (char->integer #\tab))
(test #t (char<? #\a #\b #\c)) (test #f (char<? #\a #\c #\b)) (test #t (char=? #\a #\a)) (test #t (char>? #\b #\a)) (test #t (char<=? #\a #\a #\b)) (test #t (char>=? #\b #\b #\a)) (test #t (char-ci=? #\a #\A)) (test #t (char-ci<? #\a #\B))
(test #t (char-alphabetic? #\a)) (test #f (char-alphabetic? #\1)) (test #t (char-alphabetic? #\λ)) (test #t (char-numeric? #\1)) (test #f (char-numeric? #\a)) (test #t (char-whitespace? #\space)) (test #t (char-whitespace? #\newline)) (test #f (char-whitespace? #\a)) (test #t (char-upper-case? #\A)) (test #f (char-upper-case? #\a)) (test #t (char-lower-case? #\a)) (test #t (char-upper-case? #\Σ))
(test 3 (digit-value #\3)) (test 4 (digit-value #\x0664)) (test 0 (digit-value #\x0AE6)) (test #f (digit-value #\x0EA6)) (test #f (digit-value #\a)) (test #\I (char-upcase #\i)) (test #\i (char-downcase #\I)) (test #\Λ (char-upcase #\λ)) (test #\λ (char-foldcase #\Λ)) (test #\σ (char-foldcase #\ς)) (test #\ß (char-upcase #\ß))
(test-error (integer->char #xd800)) (test-error (integer->char -1)) (test-error (char-upcase "a"))
;; 6.7
(test #t (string? "a")) (test #f (string? #\a)) (test 3 (string-length (make-string 3))) (test "xxx" (make-string 3 #\x)) (test "abc" (string #\a #\b #\c)) (test "" (string)) (test 3 (string-length "abc")) (test 1 (string-length "λ")) (test #\b (string-ref "abc" 1)) (test-error (string-ref "abc" 3)) (test-error (string-ref "abc" -1))
(test "a*c" (let ((s (string-copy "abc"))) (string-set! s 1 #\*) s)) (test-error (string-set! "literal" 0 #\a)) (test-error (string-set! (symbol->string 'immutable) 0 #\?)) (test "aλc" (let ((s (make-string 3 #\a))) (string-set! s 1 #\λ) (string-set! s 2 #\c) s))
(test #t (string=? "a" "a" "a")) (test #f (string=? "a" "b")) (test #t (string<? "a" "b" "c")) (test #t (string<? "a" "ab")) (test #f (string<? "ab" "a")) (test #t (string>? "b" "a")) (test #t (string<=? "a" "a")) (test #t (string>=? "b" "a")) (test #t (string-ci=? "AbC" "aBc")) (test #t (string-ci<? "a" "B")) (test #t (string-ci=? "Straße" "STRASSE")) (test #t (string-ci=? "ΧΑΟΣ" "χαος"))
(test "ABC" (string-upcase "abc")) (test "abc" (string-downcase "ABC")) (test "STRASSE" (string-upcase "straße")) (test "χαος" (string-downcase "ΧΑΟΣ")) (test "χαοσ" (string-foldcase "ΧΑΟΣ"))
(test "bc" (substring "abcd" 1 3)) (test "" (substring "abc" 1 1)) (test-error (substring "abc" 2 1)) (test-error (substring "abc" 0 4)) (test "abcdef" (string-append "abc" "" "def")) (test "" (string-append)) (test '(#\a #\b) (string->list "ab")) (test '(#\b) (string->list "abc" 1 2)) (test '(#\b #\c) (string->list "abc" 1)) (test "ab" (list->string '(#\a #\b))) (test-error (list->string '(1)))
(test "a12de" (let ((b (string-copy "abcde"))) (string-copy! b 1 "12345" 0 2) b)) (test "aabcd" (let ((b (string-copy "abcde"))) (string-copy! b 1 b 0 4) b)) (test "bcdee" (let ((b (string-copy "abcde"))) (string-copy! b 0 b 1) b)) (test-error (string-copy! (make-string 2) 1 "abc")) (test "zzz" (let ((s (make-string 3 #\a))) (string-fill! s #\z) s)) (test "azz" (let ((s (make-string 3 #\a))) (string-fill! s #\z 1) s)) (test "bc" (string-copy "abc" 1)) (test "b" (string-copy "abc" 1 2))
(test "a\tb" (string #\a #\tab #\b)) (test "ab" "a\
   b") (test "A" "\x41;") (test 1 (string-length "\\")) (test "\"" (string #\"))
;; 6.8
(test #t (vector? #(1))) (test #(0 (2 2 2 2) "Anna") (vector 0 '(2 2 2 2) "Anna")) (test #(a b c) (vector 'a 'b 'c)) (test 3 (vector-length #(1 2 3))) (test 0 (vector-length #())) (test 8 (vector-ref '#(1 1 2 3 5 8 13 21) 5)) (test 13 (vector-ref '#(1 1 2 3 5 8 13 21) (exact (round (* 2 (acos -1)))))) (test-error (vector-ref #(1) 1)) (test-error (vector-ref #(1) -1)) (test-error (vector-ref #(1) 1.0)) (test-error (vector-ref '(1) 0))
(test #(0 ("Sue" "Sue") "Anna") (let ((vec (vector 0 '(2 2 2 2) "Anna"))) (vector-set! vec 1 '("Sue" "Sue")) vec)) (test '(dah dah didah) (vector->list '#(dah dah didah))) (test '(dah didah) (vector->list '#(dah dah didah) 1)) (test '(dah) (vector->list '#(dah dah didah) 1 2)) (test #(dididit dah) (list->vector '(dididit dah))) (test "123" (vector->string #(#\1 #\2 #\3))) (test #(#\A #\B #\C) (string->vector "ABC")) (test "2" (vector->string #(#\1 #\2 #\3) 1 2)) (test-error (vector->string #(1)))
(test '(#(3 8 2 8) #(1 8 2 8) #(8 2)) (let* ((a #(1 8 2 8)) (b (vector-copy a)) (c (vector-copy a 1 3))) (vector-set! b 0 3) (list b a c))) (test #(10 1 2 40 50) (let ((a (vector 1 2 3 4 5)) (b (vector 10 20 30 40 50))) (vector-copy! b 1 a 0 2) b)) (test #(1 1 2 3) (let ((v (vector 1 2 3 4))) (vector-copy! v 1 v 0 3) v)) (test #(2 3 4 4) (let ((v (vector 1 2 3 4))) (vector-copy! v 0 v 1 4) v)) (test-error (vector-copy! (vector 1) 1 #(1 2)))
(test #(a b c d e f) (vector-append #(a b c) #(d e f))) (test #() (vector-append)) (test #(1 2 smash smash 5) (let ((a (vector 1 2 3 4 5))) (vector-fill! a 'smash 2 4) a)) (test #(x x) (make-vector 2 'x))
;; 6.9
(test #t (bytevector? #u8(1))) (test #u8(12 12) (make-bytevector 2 12)) (test #u8(1 3 5 1 3 5) (bytevector 1 3 5 1 3 5)) (test #u8() (bytevector)) (test 8 (bytevector-u8-ref '#u8(1 1 2 3 5 8 13 21) 5)) (test #u8(1 3 3 4) (let ((bv (bytevector 1 2 3 4))) (bytevector-u8-set! bv 1 3) bv)) (test-error (bytevector 256)) (test-error (bytevector -1)) (test-error (bytevector-u8-ref #u8(1) 1))
(test #u8(3 4) (bytevector-copy #u8(1 2 3 4 5) 2 4)) (test #u8(10 1 2 40 50) (let ((a (bytevector 1 2 3 4 5)) (b (bytevector 10 20 30 40 50))) (bytevector-copy! b 1 a 0 2) b)) (test #u8(0 1 2 3 4 5) (bytevector-append #u8(0 1 2) #u8(3 4 5))) (test "A" (utf8->string #u8(65))) (test #u8(206 187) (string->utf8 "λ")) (test "λ" (utf8->string #u8(206 187))) (test "b" (utf8->string #u8(97 98 99) 1 2)) (test #u8(98) (string->utf8 "abc" 1 2)) (test "😀" (utf8->string (string->utf8 "😀"))) (test 4 (bytevector-length (string->utf8 "😀")))
