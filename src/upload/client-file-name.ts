import { isStorable } from '../model/kinds/text.ts'

/** Control and format characters: line breaks, and marks that turn the direction of what is shown after them. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * The name that a client gave to its file, as text to be shown: without folders and without characters that cannot be
 * seen. It is never a path, and never a key of a storage. `file` where nothing is left.
 */
export const clientFileName = (given: string): string => {
  const base = given.split(/[/\\]/).at(-1) ?? ''
  const seen = base.replaceAll(unseen, '').trim()
  return /^\.*$/.test(seen) || !isStorable(seen) ? 'file' : seen
}
