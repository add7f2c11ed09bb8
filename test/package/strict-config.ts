/** Every flag that a careful user may have set, the libraries' own types checked too. */
export const strictConfig = {
  target: 'es2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  noEmit: true,
  strict: true,
  skipLibCheck: false,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noFallthroughCasesInSwitch: true,
  noUncheckedSideEffectImports: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
} as const
