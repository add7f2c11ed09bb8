import { StartError } from '../../error/errors.ts'
import { ownValue } from '../../model/objects.ts'
import { type Missing, SourceError } from '../source.ts'
import { readRefusal } from '../sql/errors.ts'
import { type Client, delegateOf } from './client.ts'
import type { Translation } from './conditions.ts'
import type { PrismaMapped } from './describe.ts'
import { absentIn, loggable, readErrorOf } from './errors.ts'

const migrate = 'npx prisma migrate deploy'

/**
 * The tables and columns that the database does not have. One statement for each model that selects no records.
 *
 * @throws SourceError `unavailable`; StartError if Prisma would shift times
 */
export const missingIn = async (
  by: Translation,
  client: Client,
  models: readonly PrismaMapped[],
): Promise<readonly Missing[]> => {
  const missing: Missing[] = []
  for (const mapped of models) {
    const { model, table, columns } = mapped
    const names = model.fields.map(({ name }) => name)
    const absent = await absentOf(by, client, mapped, names)
    if (absent === 'table') missing.push({ model: model.name, table, migrate })
    else if (absent.length > 0)
      missing.push({
        model: model.name,
        table,
        migrate,
        columns: absent.map((name) => ownValue(columns, name) ?? name),
      })
  }
  await assertZone(client, models)
  return missing
}

/**
 * The adapter drops the offset of times that the server writes in the zone of the session.
 *
 * @throws StartError if the zone is not UTC
 */
const assertZone = async (client: Client, models: readonly PrismaMapped[]): Promise<void> => {
  const zoned = models.find(({ isZoned }) => isZoned)
  if (zoned === undefined) return
  const [row] = await client.$queryRawUnsafe(`select current_setting('timezone') as zone`)
  const zone = String(row?.['zone'])
  if (/^(Etc\/)?(UTC|GMT)$/.test(zone)) return
  throw new StartError(
    `prismaModels: ${zoned.prismaName} has a timestamptz, and the time zone of the connection is ${zone}, so Prisma reads other times. Set the zone to UTC: with options: '-c timezone=UTC' in the options of PrismaPg, or with alter database … set timezone to 'UTC'.`,
  )
}

/** Finds the missing columns by halving. */
const absentOf = async (
  by: Translation,
  client: Client,
  mapped: PrismaMapped,
  names: readonly string[],
): Promise<'table' | readonly string[]> => {
  const absent = await refusalOf(by, client, mapped, names)
  if (absent === undefined) return []
  if (absent === 'table' || names.length === 1) return absent === 'table' ? absent : names
  const middle = Math.ceil(names.length / 2)
  const found: string[] = []
  for (const half of [names.slice(0, middle), names.slice(middle)]) {
    const inHalf = await absentOf(by, client, mapped, half)
    if (inHalf === 'table') return inHalf
    found.push(...inHalf)
  }
  return found
}

const refusalOf = async (
  { provider }: Translation,
  client: Client,
  mapped: PrismaMapped,
  names: readonly string[],
): Promise<'table' | 'column' | undefined> => {
  try {
    await delegateOf(client, mapped).findFirst({
      where: { OR: [] },
      select: Object.fromEntries(names.map((name) => [name, true])),
    })
    return undefined
  } catch (error) {
    const absent = absentIn(error)
    if (absent !== undefined) return absent
    const kind = readRefusal(error, readErrorOf(provider))?.kind
    if (kind === 'unavailable' || kind === 'lost')
      throw new SourceError('unavailable', { cause: loggable(error) })
    throw loggable(error)
  }
}
