import type { Asked, Filter } from './asked.ts'

/** Where a condition stands: a segment of its own, one of several in `q`, or in a group. */
type Place = 'segment' | 'q' | 'group'

const endings: Readonly<Record<Place, RegExp>> = { segment: /(?!)/, q: /&/, group: /[&|)]/ }

/** Values are quoted where they must be, or wherever they can. */
export type Quoting = 'needed' | 'always'

const valueText = (value: string | null, { sign }: Asked, place: Place, quoting: Quoting): string => {
  if (value === null) return 'null'
  const isList = sign === '==' || sign === '!='
  const mustQuote =
    value === 'null' ||
    value.startsWith('"') ||
    endings[place].test(value) ||
    (isList ? value.includes(',') : value === '' || value.startsWith('='))
  if (!mustQuote && quoting === 'needed') return value
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

const conditionText = (asked: Asked, place: Place, quoting: Quoting): string =>
  asked.field + asked.sign + asked.values.map((value) => valueText(value, asked, place, quoting)).join(',')

/** A filter in the language of `q`, as one item of it. */
export const filterText = (filter: Filter, quoting: Quoting, place: Place = 'q'): string => {
  const inGroup = (inner: Filter): string => filterText(inner, quoting, 'group')
  if ('all' in filter) return `(${filter.all.map(inGroup).join('&')})`
  if ('any' in filter) return `(${filter.any.map(inGroup).join('|')})`
  if ('not' in filter) return `!(${inGroup(filter.not)})`
  return conditionText(filter, place, quoting)
}

/** How one or several filters, which all apply, are put into a URL. */
export type Form = 'encoded' | 'typed' | 'segments' | 'repeated'

/** As people type it: encoded is only what a URL cannot hold, or what would mean something else there. */
const typed = (text: string): string =>
  text
    .replaceAll(/[%&#+\t\n]/g, encodeURIComponent)
    // The plus before an offset may stay.
    .replaceAll(/(T\d\d:\d\d:\d\d(?:\.\d+)?)%2B(?=\d\d:\d\d)/g, '$1+')
    .replaceAll(' ', '+')

const segment = (filter: Filter, quoting: Quoting): string =>
  // Fields that are named like a parameter are reached inside `q` alone.
  filterText(filter, quoting).startsWith('limit')
    ? `q=${encodeURIComponent(filterText(filter, quoting))}`
    : typed(filterText(filter, quoting, 'segment'))

const inQ = (filters: readonly Filter[], quoting: Quoting): string =>
  filters.map((filter) => filterText(filter, quoting)).join('&')

export const writeQuery: Readonly<Record<Form, (filters: readonly Filter[], quoting: Quoting) => string>> = {
  encoded: (filters, quoting) => `q=${encodeURIComponent(inQ(filters, quoting))}`,
  typed: (filters, quoting) => `q=${typed(inQ(filters, quoting))}`,
  segments: (filters, quoting) => filters.map((filter) => segment(filter, quoting)).join('&'),
  repeated: (filters, quoting) =>
    filters
      .map((filter, place) => {
        const text = filterText(filter, quoting)
        return `q=${place % 2 === 0 ? encodeURIComponent(text) : typed(text)}`
      })
      .join('&'),
}
