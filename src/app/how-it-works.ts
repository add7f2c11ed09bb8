import { isReadable, type Model } from '../model/model.ts'
import { KEY_SCHEME, type Operation, type Parameter } from '../operation/operation.ts'
import { conditionForms, fieldsByComparability, operatorsOf } from '../query/explained.ts'
import type { Envelope } from '../schema/envelope.ts'

/** What an API serves, of which its document explains what all operations have in common. */
interface ServedApi {
  readonly base: string
  readonly operations: readonly Operation[]
  readonly models: readonly Model[]
  /** The names of the security schemes. */
  readonly schemes: readonly string[]
  readonly envelope: Envelope
}

/** The section of the document that explains what all operations have in common. Only what this API has. */
export const howItWorks = (served: ServedApi): string => {
  const parts = [lists, included, writes, authentication, errors].map((part) => part(served))
  return ['## How this API works', ...parts.filter((part) => part !== '')].join('\n\n')
}

type ChapterPart = (served: ServedApi) => string

const parameterNamed =
  (name: string) =>
  ({ parameters }: Operation): Parameter | undefined =>
    parameters.find((parameter) => parameter.name === name)

const lists: ChapterPart = ({ base, operations, models, envelope }) => {
  const all = operations.filter(
    ({ method, parameters }) => method === 'GET' && parameters.some(({ name }) => name === 'fields'),
  )
  const [first] = all
  if (first === undefined) return ''
  const has = (name: string) => operations.some(parameterNamed(name))
  const isRelated = has('include')
  const example = encodeURIComponent(parameterNamed('q')(first)?.['x-placeholder'] ?? '')
  const path = `${base}${first.path}`
  const isJson = models.some(({ fields }) => fields.some((field) => field.jsonPaths && isReadable(field)))
  const groups = fieldsByComparability(...models).map(
    ([group, fields]) => [group, operatorsOf(group, fields)] as const,
  )
  return [
    `**Lists**, such as \`GET ${path}\`, return the records that meet all conditions. Write them in \`q\`, or as parameters of their own: \`${path}?q=${example}\` and \`${path}?${example.replaceAll('%3D', '=')}\` are equal. Generated clients send the latter with \`filter\`. Join several with \`&\`, percent-encoded in \`q\`. The names are examples:`,
    list(
      conditionForms
        .filter((form) => isRelated || form.isRelated !== true)
        .filter((form) => isJson || form.isJson !== true)
        .filter(({ sign = '' }) => groups.some(([, operators]) => operators.includes(sign)))
        .map(({ condition, meaning }) => `\`${condition}\`: ${meaning}`),
    ),
    'Inside parentheses, `|` means or. Put a value in double quotes if it contains a comma or a parenthesis, or is the word `null`, and write `&` in a value as `%26`.',
    'The kind of a field decides which operators it has. The description of `q` groups the fields of each list by them.',
    list(groups.map(([{ label, kinds }, operators]) => `${label} (${kinds}): ${operators}`)),
    [
      '`sort=name&order=desc` sorts, and `fields=id,name` selects fields.',
      has('search') ? ' `search` finds text in the fields that its description names.' : '',
      ` ${pages(all, envelope)}`,
      has('deleted') ? ' `deleted=with` also shows deleted records to callers who may see them.' : '',
      has('group') ? ' Paths that end in `/aggregate` count and sum groups of records.' : '',
    ].join(''),
  ].join('\n\n')
}

/** How lists are read page by page. */
const pages = (all: readonly Operation[], { count, next }: Envelope): string => {
  const having = (name: string) => all.filter(parameterNamed(name))
  const has = (name: string) => having(name).length > 0
  const [limited] = having('limit')
  const most = limited && parameterNamed('limit')(limited)?.schema['maximum']
  const limit = `\`limit\` (at most ${most})`
  const isEach = ['offset', 'page', 'cursor'].every((name) => [0, all.length].includes(having(name).length))
  const differ = isEach ? '' : ' Each list has some of these parameters.'
  const counted =
    count === undefined
      ? ''
      : `; \`${count}\` in the response is the number of matching records, if they are counted`
  const numbered = [
    ...(has('offset') ? [`${limit} and \`offset\` select a page`] : []),
    ...(has('page') ? ['`page` selects a page, from 1'] : []),
  ].join(', or ')
  if (!has('cursor')) return `${numbered}${counted}.${differ}`
  return numbered === ''
    ? `A response has at most ${limit} records; send its \`${next}\` as \`cursor\` for the next page.`
    : `${numbered}${counted}. An empty \`cursor\` asks for the first cursor page; send the \`${next}\` of each response as \`cursor\` for the next one.${differ}`
}

const included: ChapterPart = ({ operations }) =>
  operations.some(parameterNamed('include'))
    ? '**Related records**: `include=maker,reviews` returns them with each record. A dot leads further: `include=reviews.author`. Options stand in parentheses: `include=reviews(fields=stars;limit=5)`.'
    : ''

const writes: ChapterPart = ({ operations }) => {
  const has = (method: string, isList = false) =>
    operations.some((operation) => operation.method === method && operation.path.endsWith('/') === isList)
  const hasTag = operations.some(({ success }) => success.headers?.['ETag'] !== undefined)
  const sentences = [
    has('PATCH') ? 'PATCH changes the fields in the body.' : '',
    has('PUT') ? 'PUT replaces the record.' : '',
    has('POST', true) || has('PATCH') || has('PUT') ? 'Unknown fields are refused.' : '',
    hasTag && (has('PATCH') || has('PUT'))
      ? 'Send the `ETag` of a response as `If-Match` to refuse the change if someone else has changed the record since: the response is a 412.'
      : '',
    operations.some(({ body }) => body?.form !== undefined)
      ? 'Send files as `multipart/form-data`, with one part for each field.'
      : '',
    has('PATCH', true) || has('DELETE', true)
      ? `Where a list has PATCH or DELETE, they write many records, all or none${has('POST', true) ? ', and POST takes an array' : ''}.`
      : '',
  ].filter((sentence) => sentence !== '')
  return sentences.length === 0 ? '' : `**Writes**: ${sentences.join(' ')}`
}

const authentication: ChapterPart = ({ base, operations, schemes }) => {
  if (schemes.length === 0) return ''
  const login = operations.find(({ id }) => id === 'login')
  if (login === undefined) return '**Authentication**: each operation names the credentials that it accepts.'
  return `**Authentication**: \`POST ${base}${login.path}\` returns an access token. Send it as \`Authorization: Bearer …\`.${schemes.includes('cookie') ? ' Browsers can use the cookies of that response instead.' : ''}${schemes.includes(KEY_SCHEME) ? ` Programs send an API key in the same way, which \`POST ${base}/auth/keys\` creates.` : ''}`
}

const errors: ChapterPart = () =>
  '**Errors** are problem documents (RFC 9457). Programs read `code`, and people read `detail`. `errors` has each mistake, with a `pointer` into the body, such as `/name`, or with the `parameter` of the query. Each operation lists its codes.'

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')
