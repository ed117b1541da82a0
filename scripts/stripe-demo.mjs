// `node scripts/stripe-demo.mjs` starts the app with card payments against a small Stripe of our own, with its own data
// folder. No card is charged, and no other service is asked.
import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const start = path.join(root, 'scripts/start.mjs')
process.chdir(root)

const prepared = spawnSync(process.execPath, [start, '--prepare'], { stdio: 'inherit' })
if (prepared.status !== 0) process.exit(prepared.status ?? 1)

const { register } = await import('tsx/esm/api')
register()
const { startStripeService } = await import(
  pathToFileURL(path.join(root, 'sync-server/testing/stripe-service.ts')).href
)

const port = process.env.PORT || '3000'
const webhookSecret = 'whsec_demo'
const stripe = await startStripeService({
  webhookSecret,
  webhookUrl: `http://127.0.0.1:${port}/api/stripe/webhook`,
  onEvent: ({ type, data }) =>
    process.stdout.write(`  Stripe: ${type} ${data.object.payment_intent ?? data.object.id}\n`),
})

// Overrides the machine's settings of Stripe, demo and database.
const server = spawn(process.execPath, [path.join(root, 'dist/server/main.mjs')], {
  stdio: 'inherit',
  env: {
    ...process.env,
    PORT: port,
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    DATA_DIR: process.env.DATA_DIR || '.data/stripe-demo',
    DATABASE_URL: '',
    DEMO_MODE: '0',
    BILLING: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_demo',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_demo',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_ORIGIN: stripe.origin,
    STRIPE_SCRIPT_ORIGIN: stripe.origin,
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
  },
})

process.stdout.write(`
  A Stripe of our own is at ${stripe.origin}. Open http://localhost:${port}, sign up, choose a plan on /pricing, and pay with

    4242 4242 4242 4242   is charged
    4000 0000 0000 0002   is declined
    4000 0025 0000 3155   has the bank ask first
    4000 0000 0000 0077   takes its time; finish it with the command below

  with any date to come and any code. What happened is written here. As the seller, in another terminal:

    curl -d outcome=succeeded ${stripe.origin}/seller/<pi_…>/finish
    curl -d '' ${stripe.origin}/seller/<pi_…>/refund
    curl -d '' ${stripe.origin}/seller/<pi_…>/dispute

  The data are in ${process.env.DATA_DIR || '.data/stripe-demo'}; what this Stripe knows is gone when it ends (Ctrl-C).
`)

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill('SIGTERM'))
server.once('exit', (code) => {
  void stripe.close().then(() => process.exit(code ?? 1))
})
