export { type CacheUnderTest, cacheContract } from './testing/cache/index.ts'
export { hostContract } from './testing/host/index.ts'
export type { HostStart, HostUnderTest, StartedHost } from './testing/host/subject.ts'
export { type MemorySourceOptions, memorySource } from './testing/memory-source.ts'
export type { Runner } from './testing/runner.ts'
export { sourceContract } from './testing/source/index.ts'
export { libraryTables } from './testing/source/library.ts'
export type { Need, OpenedSource, SourceUnderTest } from './testing/source/stage.ts'
export { type TestApi, type TestApiOptions, testApi } from './testing/stage/api.ts'
export {
  type TestClient,
  type TestClientOptions,
  type TestedApp,
  testClient,
} from './testing/stage/client.ts'
export type { TestRequestOptions, TestRequests } from './testing/stage/requests.ts'
export type { TestResponse } from './testing/stage/response.ts'
export type { TestUser, TestUserFields, TestUserOptions } from './testing/stage/session.ts'
export { type StorageUnderTest, storageContract } from './testing/storage/index.ts'
