// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build !race && !stmdebug

package owner

// Exact says whether every guard asks the runtime at each question.
const Exact = false
