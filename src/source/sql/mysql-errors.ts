import { type DriverRefusal, textProperty } from './errors.ts'

type Facts = (message: string) => Partial<DriverRefusal>

interface Refused {
  readonly kind: DriverRefusal['kind']
  readonly numbers: readonly number[]
  readonly facts?: Facts
}

const quoted = /'((?:[^']|'')*)'|`((?:[^`]|``)*)`/g

const quotedIn = (message: string): readonly string[] =>
  [...message.matchAll(quoted)].map(([, single, tick]) => single ?? tick?.replaceAll('``', '`') ?? '')

/** `Column 'title' cannot be null`, `Field 'title' doesn't have a default value` */
const firstColumn: Facts = (message) => ({ columns: quotedIn(message).slice(0, 1) })

/** `Duplicate entry '1-Ann' for key 'reviews.PRIMARY'`: the values come first and may have quotes. MariaDB omits the table. */
const lastKey: Facts = (message) => {
  const name = /'([^']*)'[^']*$/.exec(message)?.[1] ?? ''
  return { index: name.slice(name.lastIndexOf('.') + 1) }
}

/** `Check constraint 'stars' is violated.`, `CONSTRAINT `stars` failed for `shop`.`reviews`` */
const firstCheck: Facts = (message) => {
  const [check = ''] = quotedIn(message)
  return { check }
}

/** `Data too long for column 'title' at row 1`, `Incorrect integer value: 'x' for column `shop`.`books`.`pages` at row 1` */
const lastColumn: Facts = (message) => {
  const name = /['`]([^'`]*)['`] at row \d+$/.exec(message)?.[1]
  return name === undefined ? {} : { columns: [name] }
}

/** By error number. The numbers of TiDB have four digits and begin with 8 or 9. */
const refusals: readonly Refused[] = [
  { kind: 'unique', numbers: [1062, 1169, 1557, 1586, 1761, 1762], facts: lastKey },
  { kind: 'foreign-key', numbers: [1216, 1217, 1451, 1452] },
  { kind: 'not-null', numbers: [1048, 1263, 1364, 1566], facts: firstColumn },
  { kind: 'check', numbers: [3819, 4025], facts: firstCheck },
  // The check option of a view, and errors that a trigger raises.
  { kind: 'check', numbers: [1369, 1644] },
  // Too long, out of range, another type or character set; a string that cannot be compared because of its character
  // set.
  {
    kind: 'value',
    numbers: [
      1264, 1265, 1267, 1292, 1366, 1367, 1406, 1411, 1416, 1441, 1525, 1690, 3037, 3140, 3988, 4038, 4161,
    ],
    facts: lastColumn,
  },
  { kind: 'value', numbers: [1118, 1153, 1301] },
  // Deadlocks and failed certification in a cluster: the server rolled back the whole transaction.
  { kind: 'contended', numbers: [1020, 1213, 1613, 1614, 3101, 8002, 8022, 8028, 9007] },
  // The server closed the connection, or it broke while it was in use.
  { kind: 'lost', numbers: [1053, 1077, 1152, 1159, 1160, 1161, 1180, 1184, 1927, 2006, 2013, 2055, 4031] },
  // Connecting failed, storage is full, or the server is read-only.
  { kind: 'unavailable', numbers: [1021, 1037, 1038, 1040, 1041, 1042, 1043, 1047, 1114, 1129, 1203, 1226] },
  { kind: 'unavailable', numbers: [1290, 1297, 1792, 1836, 2002, 2003, 2005, 3032, 3168] },
  // A timeout: the server rolled back only the statement.
  { kind: 'unavailable', numbers: [1158, 1205, 1206, 1317, 1412, 1615, 1969, 3024, 3572, 4166, 4168] },
  // The connector of MariaDB: the connection broke, or there was none.
  { kind: 'lost', numbers: [45009, 45011, 45019, 45026] },
  { kind: 'unavailable', numbers: [45001, 45004, 45012, 45013, 45027, 45028, 45035, 45037, 45060, 45061] },
]

const byNumber: ReadonlyMap<number, Refused> = new Map(
  refusals.flatMap((refused) => refused.numbers.map((number) => [number, refused] as const)),
)

/** HTTP drivers have it only in the message: `… (errno 1062) (sqlstate 23000)`. */
export const numberOf = (error: object, message: string = textProperty(error, 'message') ?? ''): number => {
  const number: unknown = Reflect.get(error, 'errno')
  return typeof number === 'number' ? number : Number(/\(errno (\d+)\)/.exec(message)?.[1])
}

/** Reads an error of a MySQL or MariaDB server. */
export const readMysqlError = (error: object): DriverRefusal | undefined => {
  const message = textProperty(error, 'sqlMessage') ?? textProperty(error, 'message') ?? ''
  const refused = byNumber.get(numberOf(error, message))
  return refused && { kind: refused.kind, ...refused.facts?.(message) }
}
