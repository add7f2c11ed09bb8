import type { SettingRow } from '../error/setting.ts'

/** Settings of where the application's own files are. */
export interface ControllerSettings {
  /** The folder of the application, which `controllers/` and the folders of apps are in. @default the working folder */
  readonly BASE_DIR?: string
}

export const controllerSettings: { readonly [Name in keyof Required<ControllerSettings>]: SettingRow } = {
  BASE_DIR: {
    type: 'string',
    meaning:
      'The folder of the application, which `controllers/` and the folders of apps are in. Where it is not given, the working folder.',
  },
}
