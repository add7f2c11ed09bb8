/** A parsed SQL type: `NUMERIC(10, 2)`, `int unsigned`, `timestamp(3) with time zone`, `"public"."citext"[]`. */
interface SqlType {
  /** In lower case, with single spaces, without arguments and arrays: `timestamp with time zone`. */
  readonly name: string
  /** The arguments in parentheses; the values of an enum. */
  readonly args: readonly string[]
  readonly unsigned: boolean
  readonly collated: boolean
  /** The size of each array dimension from the outside, if the type has one. */
  readonly arrays: readonly (number | undefined)[]
}

const TEXT = `'(?:[^']|'')*'`

/**
 * A name, arguments in parentheses, the rest of the name, arrays. Each part begins with a character that the previous one
 * cannot contain, so matching takes linear time.
 */
const typeForm = new RegExp(
  `^([a-z_][\\w$ ]*)(?:\\(((?:${TEXT}|[^'()])*)\\))?([a-z_][\\w$ ]*)?((?:\\[\\d*\\])*)$`,
)

const argument = new RegExp(`${TEXT}|[^', ]+`, 'g')

/** A literal, a quoted name that keeps its quotes, another quoted name, or unquoted text. */
const quotation = new RegExp(`(${TEXT})|("[^"]*[^"a-z_\\d$][^"]*")|["\`]([\\w$]+)["\`]|([^'"\`]+)`, 'g')

/** Schemas in which a known type name means the known type. */
const knownSchema = /^(?:pg_catalog|public|extensions) ?\. ?/

/** Attributes after a type that do not change the format of its values, except their sign. */
const attributes =
  /(?: ?\b(?:unsigned|zerofill|binary|(?:not )?null|(?:collate|character set|charset) (?:[\w$]+\.)?(?:"[^"]+"|[\w$-]+)))+$/

/** `undefined`: not in the syntax of SQLite, PostgreSQL or MySQL. */
export const parseSqlType = (text: string): SqlType | undefined => {
  const plain = unquoted(text.trim().replaceAll(/\s+/g, ' '))
  const [behind = ''] = attributes.exec(plain) ?? []
  const type = plain.slice(0, plain.length - behind.length).replace(knownSchema, '')
  const [, first = '', args = '', more = '', arrays = ''] = typeForm.exec(type) ?? []
  if (first === '') return undefined
  return {
    name: `${first} ${more}`.trim(),
    args: args.match(argument)?.map(withoutQuotes) ?? [],
    // In MySQL, `zerofill` implies `unsigned`.
    unsigned: /unsigned|zerofill/.test(behind),
    collated: behind.includes('collate '),
    arrays: Array.from(arrays.matchAll(/\d+|\[\]/g), ([size]) => (size === '[]' ? undefined : Number(size))),
  }
}

/** Databases convert names to lower case, except in quotes: `"Text"` is not the type `text`. */
const unquoted = (text: string): string =>
  text.replaceAll(quotation, (...found) => {
    const [, literal, quoted, name, bare] = found as (string | undefined)[]
    return literal ?? quoted ?? name ?? bare?.toLowerCase().replaceAll(/ ?([()[\]]) ?/g, '$1') ?? ''
  })

const withoutQuotes = (text: string): string =>
  text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text
