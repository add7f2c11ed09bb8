import { storageContract } from '../../src/testing/storage/index.ts'
import { runner } from '../runner.ts'
import { countingStorage } from './counting-storage.ts'
import { memoryStorage } from './memory-storage.ts'

storageContract(runner, {
  name: 'memory, counted',
  open: () => countingStorage(memoryStorage()),
  partBytes: 100_000,
})
