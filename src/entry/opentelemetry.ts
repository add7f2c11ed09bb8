export type { Observer } from '../observe/observer.ts'
export { type OpenTelemetryOptions, openTelemetryObserver } from '../observe/opentelemetry.ts'
