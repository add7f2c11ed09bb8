/** Imports as Node does. `require` loads this file: Vitest would load what it imports, and take modelrest from its sources. */
export const nativeImport = (specifier: string): Promise<object> => import(specifier)
