/** The largest requests that a client may make of the records of `large-tables.ts`: the path of the one at a place among several. */
export type LargeRead = readonly [name: string, path: (at: number) => string]

/** Those at once have different limits, because equal ones share a read. */
export const largeReads: readonly LargeRead[] = [
  ['a list of texts', (at) => `/texts/?limit=${1000 - at}`],
  ['the same list of texts', () => '/texts/?limit=1000'],
  ['a list of JSON', (at) => `/notes/?limit=${1000 - at}`],
  ['as much JSON as fits', (at) => `/notes/?limit=${400 - at}`],
  ['the JSON of part of the fields', (at) => `/notes/?fields=data&limit=${1000 - at}`],
  ['few records of a megabyte', (at) => `/larges/?limit=${100 - at}`],
  ['some records of a megabyte', (at) => `/larges/?limit=${10 - at}`],
  ['texts included', (at) => `/parents/?limit=1000&include=texts(limit=${100 - at})`],
  ['JSON included', (at) => `/parents/?limit=1000&include=notes(limit=${100 - at})`],
  ['records of 40 columns included', (at) => `/parents/?limit=1000&include=cells(limit=${100 - at})`],
  [
    'records of 40 columns in included ones',
    (at) => `/areas/?limit=9&include=parents(limit=100),parents.cells(limit=${100 - at})`,
  ],
  ['groups by texts', (at) => `/texts/aggregate?group=body&aggregate=count&limit=${1000 - at}`],
  ['groups with texts', (at) => `/larges/aggregate?group=id&aggregate=max(body)&limit=${100 - at}`],
  ['the same record of a megabyte', () => '/larges/1'],
]

/** Single records, with a megabyte of text and one of JSON each. */
export const largeRecord = (at: number): string => `/larges/${at + 1}`
