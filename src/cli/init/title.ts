import { UsageError } from '../usage-error.ts'

/** `my-shop` -> `My shop` */
export const titleOf = (name: string): string => {
  const words = name.replaceAll(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** @throws UsageError for a title in which nothing can be read */
export const assertTitle = (title: string): string => {
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(title)) return title
  throw new UsageError('--title is empty. Leave it out, and the title is made of the name.')
}

/** The text as a TypeScript literal. What an editor would not show is escaped. */
export const toLiteral = (text: string): string => {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, unicodeEscape)
  return `'${escaped}'`
}

/** Of each half where a character has two. */
const unicodeEscape = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** The text as a line of Markdown that shows it word for word. */
export const toMarkdown = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>&#~$|]/g, '\\$&')
