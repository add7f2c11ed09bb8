/** What follows from an object alone is made once for it: a field's regular expression, a model's schemas. */
export const onceFor = <O extends object, T>(make: (of: O) => T): ((of: O) => T) => {
  const made = new WeakMap<O, { readonly value: T }>()
  return (of) => {
    const known = made.get(of)
    if (known !== undefined) return known.value
    const value = make(of)
    made.set(of, { value })
    return value
  }
}
