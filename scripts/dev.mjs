// `npm run dev`: server and app reload when sources change. The app's port is PORT or 3000.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createProbe } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const appPort = Number(process.env.PORT ?? 3000)
const probe = createProbe().listen(0, '127.0.0.1')
await once(probe, 'listening')
const serverPort = probe.address().port
probe.close()

const server = spawn(
  process.execPath,
  [path.join(root, 'node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'sync-server/app/server-main.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PORT: String(serverPort),
      PUBLIC_ORIGIN: process.env.PUBLIC_ORIGIN ?? `http://localhost:${appPort}`,
    },
  },
)

const withoutPlans = {
  name: 'beaconry:without-plans',
  transformIndexHtml: (html) => html.replace('<html', '<html data-plans="none"'),
}
const target = `http://127.0.0.1:${serverPort}`
const app = await createServer({
  configFile: path.join(root, 'vite.config.ts'),
  plugins: process.env.BILLING === 'off' ? [withoutPlans] : [],
  server: {
    port: appPort,
    strictPort: true,
    proxy: {
      '^/api/(?!.*\\.tsx?(\\?|$))': target,
      '/demo-accounts.json': target,
      '/healthz': target,
      '/readyz': target,
    },
  },
})
await app.listen()
app.printUrls()

server.once('exit', (code) => process.exit(code ?? 1))
// Vite ends this process on SIGTERM; the server must go, too.
process.once('exit', () => server.kill('SIGTERM'))
process.once('SIGINT', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
