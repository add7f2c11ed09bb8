import { after, before, describe, it } from 'node:test'
import { libraryTables, sourceContract } from 'modelrest/testing'
import { memorySource } from './source.ts'

// Memory has no views.
const tables = libraryTables.filter(({ readOnly }) => readOnly !== true)

sourceContract(
  { describe, it, before, after },
  {
    name: 'memorySource',
    open: () => ({
      source: memorySource(tables, {
        defaults: { Book: { titleLength: ({ title }) => [...String(title)].length } },
      }),
      close: () => undefined,
    }),
  },
)
