/** What follows from a field alone is made once for it: a pattern, a phrase, a regular expression. */
export const perField = <F extends object, T>(make: (field: F) => T): ((field: F) => T) => {
  const made = new WeakMap<F, { readonly of: T }>()
  return (field) => {
    const known = made.get(field)
    if (known !== undefined) return known.of
    const of = make(field)
    made.set(field, { of })
    return of
  }
}
