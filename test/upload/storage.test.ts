import { describe } from 'vitest'
import { storageContract } from '../contract/storage.ts'
import { countingStorage } from './counting-storage.ts'
import { memoryStorage } from './memory-storage.ts'

describe('memory, counted', () => {
  storageContract({ open: () => countingStorage(memoryStorage()), signs: false, part: 100_000 })
})
