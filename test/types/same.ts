/** `true` where two types are the same, `false` elsewhere: `const same: Same<A, B> = true`. */
export type Same<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false
