import type { CatalogCheck } from './facts.ts'

/** A token of SQL, and where it ends. */
interface SqlToken {
  /** `name` is an identifier in quotes, `word` one without or a keyword. */
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'mark'
  /** Without quotes; a word in lower case. */
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Comments and spaces, then one token of any database. A mark is one character. */
const tokenForm =
  /(?:\s|--[^\n]*|\/\*[\s\S]*?\*\/)*(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]'"]*[a-z_][^\]'"]*)\]|([\p{L}_][\p{L}\p{N}_$]*)|(\d+(?:\.\d+)?)|([\s\S]))/giuy

/** The tokens of a piece of SQL. */
const tokensOf = (text: string): readonly SqlToken[] => {
  const form = new RegExp(tokenForm)
  const tokens: SqlToken[] = []
  for (let found = form.exec(text); found !== null; found = form.exec(text)) {
    const [, literal, double, back, bracket, word, number, mark] = found
    const place = { start: found.index, end: form.lastIndex }
    const name = double?.replaceAll('""', '"') ?? back?.replaceAll('``', '`') ?? bracket
    if (literal !== undefined) tokens.push({ kind: 'text', value: literal.replaceAll("''", "'"), ...place })
    else if (name !== undefined) tokens.push({ kind: 'name', value: name, ...place })
    else if (word !== undefined) tokens.push({ kind: 'word', value: word.toLowerCase(), ...place })
    else if (number !== undefined) tokens.push({ kind: 'number', value: number, ...place })
    else if (mark !== undefined) tokens.push({ kind: 'mark', value: mark, ...place })
  }
  return tokens
}

const isMark = (token: SqlToken | undefined, value: string): boolean =>
  token?.kind === 'mark' && token.value === value

const isWord = (token: SqlToken | undefined, value: string): boolean =>
  token?.kind === 'word' && token.value === value

/** The check constraints in a `create table` of SQLite, whose catalog has nothing else of them. */
export const checksIn = (statement: string): readonly CatalogCheck[] => {
  const tokens = tokensOf(statement)
  return tokens.flatMap((token, at): readonly CatalogCheck[] => {
    const [opening] = tokens.slice(at + 1)
    if (!isWord(token, 'check') || opening === undefined || !isMark(opening, '(')) return []
    const end = closingOf(tokens, at + 1)
    if (end === undefined) return []
    const named = isWord(tokens[at - 2], 'constraint') ? tokens[at - 1] : undefined
    const expression = statement.slice(opening.end, end.start).trim()
    return [{ ...(named && { name: nameIn(statement, named) }), expression }]
  })
}

/** The parenthesis that closes the one at a place. */
const closingOf = (tokens: readonly SqlToken[], opening: number): SqlToken | undefined => {
  let depth = 0
  return tokens.slice(opening).find((token) => {
    if (isMark(token, '(')) depth++
    if (isMark(token, ')')) depth--
    return depth === 0
  })
}

/** The names in an expression, and its keywords, in lower case. */
export const identifiersIn = (expression: string): ReadonlySet<string> =>
  new Set(
    tokensOf(expression).flatMap(({ kind, value }) =>
      kind === 'name' || kind === 'word' ? [value.toLowerCase()] : [],
    ),
  )

/** The only strings that a column may have, by a check such as `status in ('new', 'paid')`. */
export interface TextChoice {
  readonly column: string
  readonly values: readonly string[]
}

/**
 * What a check says about the strings of one column, in the forms in which the databases show it: `in (…)`, `= any (array[…])`, and
 * one value. `undefined`: it says something else.
 */
export const choiceIn = (expression: string): TextChoice | undefined => {
  const tokens = withoutCasts(tokensOf(expression)).filter(
    (token) => !['(', ')', '[', ']'].some((mark) => isMark(token, mark)),
  )
  const [first, ...others] = tokens
  if (first === undefined || (first.kind !== 'word' && first.kind !== 'name')) return undefined
  const column = nameIn(expression, first)
  const listed = valuesIn(others)
  if (listed !== undefined) return { column, values: listed }
  // Null fulfils each check anyway.
  const [is, none, or, again, ...more] = others
  const isNullable = isWord(is, 'is') && isWord(none, 'null') && isWord(or, 'or')
  if (!isNullable || again === undefined || nameIn(expression, again) !== column) return undefined
  const values = valuesIn(more)
  return values && { column, values }
}

/** A name in its own case, because that of a word was changed. */
const nameIn = (expression: string, { kind, value, end }: SqlToken): string =>
  kind === 'word' ? expression.slice(end - value.length, end) : value

const valuesIn = ([operator, ...others]: readonly SqlToken[]): readonly string[] | undefined => {
  const listed = isWord(operator, 'in') ? others : isMark(operator, '=') ? afterAny(others) : undefined
  if (listed === undefined || listed.length % 2 === 0) return undefined
  const isList = listed.every((token, at) => (at % 2 === 0 ? token.kind === 'text' : isMark(token, ',')))
  if (!isList) return undefined
  const values = listed.filter(({ kind }) => kind === 'text').map(({ value }) => value)
  // Whether a backslash escapes depends on the settings of the server.
  return values.some((value) => value.includes('\\')) ? undefined : [...new Set(values)]
}

/** `any (array['a', 'b'])`, or one value. */
const afterAny = (tokens: readonly SqlToken[]): readonly SqlToken[] | undefined => {
  if (isWord(tokens[0], 'any')) return isWord(tokens[1], 'array') ? tokens.slice(2) : undefined
  return tokens.length === 1 ? tokens : undefined
}

/** Without `::character varying(20)`, `::text[]` and `_utf8mb4`, which do not change a text. */
const withoutCasts = (tokens: readonly SqlToken[]): readonly SqlToken[] => {
  const kept: SqlToken[] = []
  let at = 0
  while (at < tokens.length) {
    const token = tokens[at] as SqlToken
    if (isMark(token, ':') && isMark(tokens[at + 1], ':')) at = endOfType(tokens, at + 2)
    else {
      const isCharset =
        token.kind === 'word' && token.value.startsWith('_') && tokens[at + 1]?.kind === 'text'
      if (!isCharset) kept.push(token)
      at++
    }
  }
  return kept
}

const endOfType = (tokens: readonly SqlToken[], start: number): number => {
  let at = start + 1
  while (true) {
    const token = tokens[at]
    if (token?.kind === 'word' && typeWords.has(token.value)) at++
    else if (isMark(token, '(') && tokens[at + 1]?.kind === 'number' && isMark(tokens[at + 2], ')')) at += 3
    else return at
  }
}

/** The further words of `character varying` and `timestamp with time zone`. */
const typeWords = new Set(['varying', 'precision', 'with', 'without', 'time', 'zone'])

/** A default that is a literal. `undefined`: an expression. */
export const literalIn = (expression: string): string | boolean | null | undefined => {
  const tokens = withoutCasts(tokensOf(expression)).filter(
    (token) => !isMark(token, '(') && !isMark(token, ')'),
  )
  const isNegative = isMark(tokens[0], '-') && tokens[1]?.kind === 'number'
  const [only, ...others] = isNegative ? tokens.slice(1) : tokens
  if (only === undefined || others.length > 0) return undefined
  // SQLite takes a name in quotes as text where no column has it.
  if (only.kind === 'text' || only.kind === 'name') return only.value
  if (only.kind === 'number') return `${isNegative ? '-' : ''}${only.value}`
  return only.kind === 'word' ? words.get(only.value) : undefined
}

const words: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])
