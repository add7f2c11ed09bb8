type Needed = 'java' | 'openapi-generator' | 'npx'

const everywhere =
  'npm install --save-dev @openapitools/openapi-generator-cli, or pip install openapi-generator-cli'

const commands: Readonly<Record<Needed, Readonly<Record<'darwin' | 'win32' | 'other', string>>>> = {
  java: {
    darwin: 'brew install --cask temurin',
    win32: 'winget install EclipseAdoptium.Temurin.21.JRE',
    other: 'sudo apt-get install default-jre-headless',
  },
  'openapi-generator': {
    darwin: `brew install openapi-generator, or ${everywhere}`,
    win32: everywhere,
    other: everywhere,
  },
  npx: {
    darwin: 'brew install node',
    win32: 'winget install OpenJS.NodeJS.LTS',
    other: 'sudo apt-get install npm',
  },
}

/** `Install it: …`, with the command of this system. */
export const installing = (needed: Needed, platform: NodeJS.Platform = process.platform): string =>
  `Install it: ${commands[needed][platform === 'darwin' || platform === 'win32' ? platform : 'other']}.`
