export { type CacheUnderTest, cacheContract } from './cache/index.ts'
export { hostContract } from './host/index.ts'
export type { HostStart, HostUnderTest, StartedHost } from './host/subject.ts'
export { type MemorySourceOptions, memorySource } from './memory-source.ts'
export { sourceContract } from './source/index.ts'
export { libraryTables } from './source/library.ts'
export type { Need, OpenedSource, SourceUnderTest } from './source/stage.ts'
export { type TestApi, type TestApiOptions, testApi } from './stage/api.ts'
export {
  type TestClient,
  type TestClientOptions,
  type TestedApp,
  testClient,
} from './stage/client.ts'
export type { TestRequestOptions, TestRequests } from './stage/requests.ts'
export type { TestResponse } from './stage/response.ts'
export type { TestUser, TestUserFields, TestUserOptions } from './stage/session.ts'
export { type StorageUnderTest, storageContract } from './storage/index.ts'
export type { Runner } from './suite/runner.ts'
