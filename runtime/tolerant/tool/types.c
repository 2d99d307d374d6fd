/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a function's declared result says of who is to free what it allocates: one that returns a pointer to bytes of
 * its own making, or to a record, or a container by value, gives it to its caller.
 */
#include <string.h>

#include "types.h"

#if defined(TT_WITH_LIBDW)
#include <dwarf.h>

static bool attribute_type(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) != NULL && dwarf_formref_die(&attribute, type) != NULL;
}

/* The type behind its typedefs; false if it is void. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
    return attribute_type(die, type) && dwarf_peel_type(type, type) == 0;
}

/* Behind typedefs alone: a pointer to what may not be written to is to something that stays another's. */
static bool is_constant(Dwarf_Die *pointer) {
    Dwarf_Die type = *pointer, next;
    while (attribute_type(&type, &next)) {
        if (dwarf_tag(&next) == DW_TAG_const_type) return true;
        if (dwarf_tag(&next) != DW_TAG_typedef) return false;
        type = next;
    }
    return false;
}

/* A class of the C++ library's that owns memory. */
static bool is_container(Dwarf_Die *type) {
    Dwarf_Die *scopes = NULL;
    bool standard = false;
    const char *name = dwarf_diename(type);
    int tag = dwarf_tag(type), count = 0;
    if (name == NULL || (tag != DW_TAG_class_type && tag != DW_TAG_structure_type)) return false;
    if (strstr(name, "iterator") != NULL || strstr(name, "Iterator") != NULL || strncmp(name, "pair", 4) == 0) return false;
    count = dwarf_getscopes_die(type, &scopes);
    for (int i = 1; i < count; i++) {
        const char *around = dwarf_tag(&scopes[i]) == DW_TAG_namespace ? dwarf_diename(&scopes[i]) : NULL;
        standard = standard || (around != NULL && strcmp(around, "std") == 0);
    }
    free(scopes);
    return standard;
}

static bool is_pointer_to_void(Dwarf_Die *type) {
    Dwarf_Die to;
    return dwarf_tag(type) == DW_TAG_pointer_type && !type_of(type, &to);
}

/* What is started as a thread, or called back, returns a pointer as that is the custom. */
static bool has_callbacks_type(Dwarf_Die *function, Dwarf_Die *result) {
    Dwarf_Die child, type, origin = *function;
    Dwarf_Attribute attribute;
    int parameters = 0;
    bool untyped = false;
    if (dwarf_attr(function, DW_AT_abstract_origin, &attribute) != NULL) (void)dwarf_formref_die(&attribute, &origin);
    for (int more = dwarf_child(&origin, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter) continue;
        parameters++;
        untyped = type_of(&child, &type) && is_pointer_to_void(&type);
    }
    return parameters == 1 && untyped && is_pointer_to_void(result);
}

uint64_t type_given(Dwarf_Die *function) {
    Dwarf_Die result, to;
    Dwarf_Word size;
    if (!type_of(function, &result)) return 0;
    if (dwarf_tag(&result) != DW_TAG_pointer_type) return is_container(&result) ? 1 : 0;
    if (is_constant(&result) || has_callbacks_type(function, &result)) return 0;
    if (!type_of(&result, &to)) return 1;
    if (dwarf_tag(&to) == DW_TAG_subroutine_type) return 0;
    return dwarf_aggregate_size(&to, &size) == 0 && size > 0 ? size : 1;
}
#endif
