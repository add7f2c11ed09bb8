import { type OpenedOrm, openPlace, type Place } from '../../orm-places.ts'
import { refill, sqliteIds, type World, worldOf } from '../stage.ts'
import { drizzle } from './drizzle.ts'
import { mikroOrm } from './mikro-orm.ts'
import { prisma } from './prisma.ts'
import { sequelize } from './sequelize.ts'
import { type ShapeOptions, type ShapeTables, shapeTables } from './tables.ts'
import { typeorm } from './typeorm.ts'

/** An ORM with its models. */
export interface ShapeStage extends ShapeOptions {
  readonly open: (place: Place) => Promise<OpenedOrm>
  /** The application hides deleted accounts, not the ORM. */
  readonly isDeletingSoftly?: true
  /** Whether the ORM tells apart the classes of a table. @default true */
  readonly hasClasses?: false
}

export const shapeStages: Readonly<Record<string, ShapeStage>> = {
  Drizzle: { open: drizzle, isDeletingSoftly: true, hasClasses: false },
  Prisma: {
    open: prisma,
    junction: ['_ContentToLabel', 'A', 'B'],
    isDeletingSoftly: true,
    hasClasses: false,
  },
  TypeORM: { open: typeorm },
  MikroORM: { open: mikroOrm },
  Sequelize: { open: sequelize, hasCompositeKeys: false },
}

const worldIn = async (tables: ShapeTables, { open }: ShapeStage): Promise<World> => {
  const place = await openPlace('sqlite', tables.ddl)
  // The rows of a world are replaced while those that no request changes refer to them. The disk is not waited for.
  for (const pragma of ['foreign_keys = off', 'synchronous = off', 'journal_mode = wal'])
    await place.rows(`pragma ${pragma}`)
  const { models, end } = await open(place)
  return worldOf(
    tables,
    {
      ...{ models, rows: place.rows as never },
      execute: async (statements) => {
        for (const statement of ['begin', ...statements.split(';'), 'commit']) await place.rows(statement)
      },
      close: async () => {
        await end()
        await place.drop()
      },
    },
    sqliteIds(tables.counted),
  )
}

/** The world of tenant 1, and one that others share. */
export interface ShapeWorlds {
  readonly alone: World
  readonly shared: World
  refill(): Promise<void>
  /** Whether something was written since the last time that this was called, by an ORM. */
  isWritten(): Promise<boolean>
  close(): Promise<void>
}

export const openShapes = async (stage: ShapeStage): Promise<ShapeWorlds> => {
  const tables = shapeTables(stage)
  const [alone, shared] = [await worldIn(tables, stage), await worldIn(tables, stage)]
  await alone.run(tables.still(1))
  await shared.run([0, 1, 2].flatMap(tables.still))
  const versions = async () =>
    JSON.stringify(await Promise.all([alone, shared].map((world) => world.rows('pragma data_version'))))
  let seen = await versions()
  return {
    ...{ alone, shared },
    refill: async () => {
      await refill(alone, [1])
      await refill(shared, [0, 1, 2])
      await shared.run(tables.foreign)
    },
    isWritten: async () => {
      const before = seen
      seen = await versions()
      return seen !== before
    },
    close: async () => {
      await alone.close()
      await shared.close()
    },
  }
}
