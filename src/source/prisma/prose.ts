/**
 * The documentation of a Prisma model or field without annotations of other generators, such as `@zod.string.min(3)`,
 * `@HideField()` and the `[Type]` of a JSON field. `undefined`: nothing else is left.
 */
export const proseOf = (documentation: string | undefined): string | undefined => {
  if (documentation === undefined) return undefined
  let prose = ''
  let at = 0
  for (const { index, 0: sign, 1: name = '' } of documentation.matchAll(signs)) {
    if (index < at) continue
    prose += documentation.slice(at, index)
    at = index
    const isFirst = /(^|\n)\s*$/.test(prose)
    const end = endOfAnnotation(documentation, index + sign.length, {
      name,
      isFirst,
      isOfModel: sign[1] === '@',
    })
    if (end === undefined) continue
    at = end
    prose = prose.replace(/ $/, '')
  }
  prose += documentation.slice(at)
  const lines = prose.split('\n').filter((line) => !jsonType.test(line.trim()))
  const text = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return text === '' ? undefined : text
}

/** The `@` of an email address is none. */
const signs = /(?<!\S)@@?([A-Za-z]\w*)/g

/** Of prisma-json-types-generator: `[Address]`, `![{ city: string }]`. A link continues after its bracket. */
const jsonType = /^(\[[A-Za-z_$][\w$.]*(<.*>)?(\[\])?\]|!\[.*\])$/

/** Words that take the rest of their line, of prisma-markdown. */
const takingLine: ReadonlySet<string> = new Set(['namespace', 'erd', 'describe', 'hidden', 'minitems'])

/** Of JSDoc, which says something by itself. */
const speaking: ReadonlySet<string> = new Set(['deprecated'])

interface Sign {
  readonly name: string
  /** Only annotations are before it on its line. */
  readonly isFirst: boolean
  /** `@@` */
  readonly isOfModel: boolean
}

/** @param from behind the name. `undefined`: it is not an annotation, but a word or a tag of JSDoc with its text */
const endOfAnnotation = (
  text: string,
  from: number,
  { name, isFirst, isOfModel }: Sign,
): number | undefined => {
  const end = endOfChain(text, from)
  const newline = text.indexOf('\n', end)
  const endOfLine = newline === -1 ? text.length : newline
  if (isFirst && takingLine.has(name)) return endOfLine
  const isAlone = isFirst && !speaking.has(name) && /^\s*($|@)/.test(text.slice(end, endOfLine))
  return end > from || isOfModel || isAlone ? end : undefined
}

const link = /(?:[ \t]*\n\s*)?\.[A-Za-z_]\w*|[:?][\w=&]+/

/** Behind `.string.min(3)` and `("a", { b: [1] })`, also over several lines. */
const endOfChain = (text: string, from: number): number => {
  let at = from
  const next = new RegExp(link, 'y')
  for (;;) {
    next.lastIndex = at
    if (text[at] === '(') at = endOfParentheses(text, at)
    else if (next.test(text)) at = next.lastIndex
    else return at
  }
}

/** Behind the parenthesis that closes the one at a place, or at the end of the text. */
const endOfParentheses = (text: string, from: number): number => {
  let depth = 0
  let quote = ''
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\\') at += 1
    else if (quote !== '') quote = character === quote ? '' : quote
    else if (`"'\``.includes(character)) quote = character
    else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}
