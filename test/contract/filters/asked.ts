/** The signs of the contract, section 4. */
export const signs = ['=', '==', '!=', '>', '>=', '<', '<=', '^=', '~='] as const
export type Sign = (typeof signs)[number]

/** A condition as a client means it: values are texts, `null` is null. Only `==` and `!=` take several. */
export interface Asked {
  readonly field: string
  readonly sign: Sign
  readonly values: readonly (string | null)[]
}

export type Filter =
  | Asked
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
