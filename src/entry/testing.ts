export { hostContract } from '../testing/host/index.ts'
export type { HostStart, HostUnderTest, StartedHost } from '../testing/host/subject.ts'
export { type MemorySourceOptions, memorySource } from '../testing/memory-source.ts'
export type { Runner } from '../testing/runner.ts'
