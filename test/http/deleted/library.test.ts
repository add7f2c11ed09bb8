import { describe } from 'vitest'
import { libraries } from './stage.ts'
import { deletedRecords } from './suite.ts'

describe.each(libraries)('deleted records on %s', (_name, start) => deletedRecords(start))
