import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A running nginx. */
export interface Proxy {
  readonly child: ChildProcess
  /** Lets running requests finish and stops nginx. */
  stop(): Promise<void>
}

const ofContainers = readFileSync(new URL('../nginx.conf', import.meta.url), 'utf8')

/** nginx.conf with addresses of this machine instead of containers. */
export const nginxConfig = (port: number, processes: readonly number[], folder: string): string => {
  const servers = processes.map((one) => `  server 127.0.0.1:${one} max_fails=0;\n`).join('')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `  ${what}_temp_path ${join(folder, what)};`,
  )
  return `
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log stderr warn;
events { worker_connections 4096; }
http {
  access_log off;
${temporary.join('\n')}
${ofContainers.replace(/( {2}server shop-\d+:3000 max_fails=0;\n)+/, servers).replace('listen 8080;', `listen 127.0.0.1:${port};`)}
}
`
}

/** Starts nginx in a temporary folder, in front of the processes on these ports. */
export const startProxy = (port: number, processes: readonly number[]): Proxy => {
  const folder = mkdtempSync(join(tmpdir(), 'shop-nginx-'))
  // If root starts nginx, its workers run as another user.
  chmodSync(folder, 0o755)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, nginxConfig(port, processes, folder))
  const child = spawn('nginx', ['-c', file, '-p', folder, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Debian installs servers there.
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
  })
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  return {
    child,
    async stop() {
      child.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
