export { type MemorySourceOptions, memorySource } from '../testing/memory-source.ts'
