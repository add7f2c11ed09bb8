import { memorySource } from '../../src/testing/memory-source.ts'
import { libraryDefaults, libraryFacts } from '../contract/library/facts.ts'
import { modelSourceContract } from '../contract/model-source.ts'

modelSourceContract('memorySource()', async () => {
  const source = memorySource(libraryFacts, { defaults: libraryDefaults })
  const everything = { op: 'and', conditions: [] } as const
  return {
    source,
    execute: async () => {
      for (const name of ['Review', 'Book', 'Category', 'Author', 'Shelf', 'Oddity']) {
        const model = source.models.find((known) => known.name === name)
        if (model === undefined) continue
        const store = source.store(model)
        for (;;) {
          const rows = await store.list(
            {
              filter: everything,
              order: [{ field: model.primaryKey[0] ?? '', direction: 'desc' }],
              limit: 1000,
              offset: 0,
            },
            everything,
          )
          if (rows.length === 0) break
          for (const row of rows)
            await store.remove(
              model.primaryKey.map((key) => row[key]),
              everything,
            )
        }
      }
    },
    prepared: () => 0,
    spoil: { statement: '', field: 'pages' },
    kill: () => undefined,
    close: () => undefined,
  }
})
