import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Sequelize } from 'sequelize'
import { sequelizeContract } from './contract.ts'
import { defineLibrary } from './library.ts'
import { nodeSqlite } from './node-sqlite.ts'

const open = async (storage: string) => {
  const sequelize = new Sequelize({ dialect: 'sqlite', dialectModule: nodeSqlite, storage, logging: false })
  defineLibrary(sequelize)
  await sequelize.sync()
  return {
    sequelize,
    spoil: { statement: 'update books set pages = 9007199254740993', field: 'pages' },
    // Columns of SQLite hold any number of digits.
    unenforced: ['value'] as const,
  }
}

sequelizeContract('sequelize on a file of SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const opened = await open(join(folder, 'library.db'))
  // The suite deletes records one by one, each in a transaction of its own.
  await opened.sequelize.query('pragma synchronous = off')
  return {
    ...opened,
    close: async () => {
      await opened.sequelize.close()
      rmSync(folder, { recursive: true })
    },
  }
})

sequelizeContract('sequelize on SQLite in memory', async () => {
  const opened = await open(':memory:')
  return { ...opened, close: () => opened.sequelize.close() }
})
