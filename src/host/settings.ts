import type { SettingRow } from '../error/setting.ts'

/** Settings of the application's own routes. */
export interface HostSettings {
  /**
   * What stands before the application's own routes. `ProcessPutPatchMiddleware` lets them read forms by PUT and PATCH as
   * by POST. @default nothing
   */
  readonly MIDDLEWARE?: readonly Middleware[]
}

/** The name of a middleware. */
export type Middleware = 'ProcessPutPatchMiddleware'

export const hostSettings: { readonly [Name in keyof Required<HostSettings>]: SettingRow } = {
  MIDDLEWARE: {
    type: 'list of strings',
    among: ['ProcessPutPatchMiddleware'] satisfies readonly Middleware[],
    otherwise: 'nothing',
    meaning:
      "What stands before the application's own routes: `ProcessPutPatchMiddleware` lets them read forms by PUT and PATCH as by POST.",
  },
}
