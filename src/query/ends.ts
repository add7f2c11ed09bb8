/** The characters that end what is read, by the place where it stands. */
export interface Ends {
  readonly value: string
  /** Of an element of a list. */
  readonly element: string
  readonly name: string
}

const endsOf = (value: string): Ends => Object.freeze({ value, element: `${value},`, name: `${value}=!<>` })

/** A segment of its own is one condition: nothing ends its value. */
export const alone: Ends = endsOf('')
/** Inside `q`. */
export const inQ: Ends = endsOf('&')
/** Inside a group, wherever that stands. */
export const inGroup: Ends = endsOf('&|)')
