/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The instructions of the machine. a, b, c are the instruction's operands; f[i] is slot i of the running frame, k[i] a
 * constant of its code, free[i] what its closure captured. A jump's target is an index of an instruction. */
#ifndef SCHEME_CORE_OPCODE_H
#define SCHEME_CORE_OPCODE_H

enum Opcode {
  Constant_o,            // f[a] = k[b]
  Integer_o,             // f[a] = the fixnum b
  Move_o,                // f[a] = f[b]
  Free_o,                // f[a] = free[b]
  Global_o,              // f[a] = the value of the cell k[b]
  Set_global_o,          // the cell k[b] = f[a], which must be defined
  Define_o,              // the cell k[b] = f[a]
  Box_o,                 // f[a] = a box of f[a]
  Unbox_o,               // f[a] = what the box f[b] holds
  Unbox_free_o,          // f[a] = what the box free[b] holds
  Set_box_o,             // the box f[a] holds f[b]
  Set_box_free_o,        // the box free[a] holds f[b]
  Closure_o,             // f[a] = a closure of the code k[b], with c captures, each in an instruction Capture_o that follows
  Capture_o,             // a: 0 for f[b], 1 for free[b], 2 for the running closure
  Patch_o,               // free[b] of the closure f[a] = f[c]
  Jump_o,                // to a
  Loop_o,                // to a, backwards
  Return_o,              // f[a]
  Call_o,                // the procedure f[a + 1] with the b arguments after it; the result goes to f[a]
  Tail_call_o,           // the same in place of the running frame
  Call_global_o,         // the same with the cell k[c]
  Tail_call_global_o,
  Call_self_o,           // the running closure, whose arity fits
  Tail_call_self_o,
  Primitive_o,           // f[a] = the primitive b of the c arguments from f[a]
  Underflow_o,           // of the stub: go on with what `under` names
  Halt_o,

  // Jumps to c if the test of f[a] (and f[b]) comes out as the last bit of the opcode's distance from the first one
  // says.
  First_test_o,
  Unless_true_o = First_test_o, If_true_o,
  Unless_same_o, If_same_o,              // eq?
  Unless_same_k_o, If_same_k_o,          // eq? of f[a] and k[b]
  Unless_null_o, If_null_o,
  Unless_pair_o, If_pair_o,
  Unless_less_o, If_less_o,              // f[a] < f[b]
  Unless_most_o, If_most_o,              // f[a] <= f[b]
  Unless_equal_o, If_equal_o,            // f[a] = f[b]
  Unless_less_i_o, If_less_i_o,          // f[a] < the fixnum b
  Unless_most_i_o, If_most_i_o,
  Unless_equal_i_o, If_equal_i_o,
  Unless_more_i_o, If_more_i_o,
  Unless_least_i_o, If_least_i_o,
  Unless_character_o, If_character_o,    // char=? of two
  Last_test_o,

  // f[a] = the operation on f[b] and f[c], or on f[b] and the fixnum c
  Add_o = Last_test_o, Add_i_o, Subtract_o, Multiply_o, Quotient_o, Remainder_o,
  Cons_o, Car_o, Cdr_o, Cadr_o, Cddr_o, Caar_o, Cdar_o, Set_car_o, Set_cdr_o,
  Vector_ref_o, Vector_set_o,            // Vector_set_o: f[a][f[b]] = f[c]
  String_ref_o, Record_ref_o             // Record_ref_o: f[a] = field of record f[b], whose type is f[b + 1], at c
};

#endif
