import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { schemaHash } from './pwa/sync/replica/replica-schema.ts'
import { thirdPartyTexts } from './scripts/third-party-texts.ts'
import { VitePWA, type ManifestOptions } from 'vite-plugin-pwa'

const here = import.meta.dirname
const outDir = path.join(here, 'dist/pwa')

const { version } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8')) as { version: string }
const ofStyles = ['tailwindcss', 'daisyui', '@fontsource-variable/familjen-grotesk']
const thirdParty = thirdPartyTexts(
  path.join(outDir, 'licenses.txt'),
  ofStyles.map((name) => path.join(here, 'node_modules', name)),
)

/** Install dialogs show them. */
const screenshots: ManifestOptions['screenshots'] = [
  {
    src: '/screenshots/manage-narrow.png',
    sizes: '1080x1920',
    type: 'image/png',
    form_factor: 'narrow',
    label: 'Approve Beacons from your phone',
  },
  {
    src: '/screenshots/event-narrow.png',
    sizes: '1080x1920',
    type: 'image/png',
    form_factor: 'narrow',
    label: 'An event and its Beacons',
  },
  {
    src: '/screenshots/manage-wide.png',
    sizes: '1920x1080',
    type: 'image/png',
    form_factor: 'wide',
    label: 'All applications at a glance',
  },
]

const manifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Beaconry',
  short_name: 'Beaconry',
  description: 'Publish networking events and approve volunteer Beacons, also where the wifi does not work.',
  lang: 'en-US',
  dir: 'ltr',
  start_url: '/?source=app',
  scope: '/',
  display: 'standalone',
  display_override: ['standalone', 'minimal-ui'],
  orientation: 'any',
  theme_color: '#0f1524',
  background_color: '#0f1524',
  categories: ['business', 'events', 'productivity'],
  launch_handler: { client_mode: ['navigate-existing', 'auto'] },
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    {
      name: 'Your events',
      short_name: 'Dashboard',
      url: '/dashboard',
      icons: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
    },
    {
      name: 'Create an event',
      short_name: 'Create',
      url: '/events/create',
      icons: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
    },
    {
      name: 'Saved on this device',
      short_name: 'Queue',
      url: '/sync',
      icons: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
    },
  ],
  screenshots,
}

/** A portal's page with status 200 would be precached as JavaScript; with its hash in the list the browser refuses it. */
function withIntegrity<E extends { url: string }>(entries: E[]): { manifest: (E & { integrity: string })[] } {
  return {
    manifest: entries.map((entry) => ({
      ...entry,
      integrity: `sha256-${createHash('sha256')
        .update(readFileSync(path.join(outDir, entry.url)))
        .digest('base64')}`,
    })),
  }
}

/** What both documents say before anything of theirs has arrived; nothing is loaded for it. */
function documentParts(): Plugin {
  const part = (name: string) => readFileSync(path.join(here, 'pwa/document', name), 'utf8')
  return {
    name: 'beaconry:document-parts',
    transformIndexHtml: (html) =>
      html
        .replace('<!-- start.js -->', () => `<script>\n${part('start.js')}</script>`)
        .replace('<!-- header.html -->', () => part('header.html').trimEnd()),
  }
}

/** Writes a .br and a .gz beside every text file of the finished build. */
function precompress(): Plugin {
  return {
    name: 'beaconry:precompress',
    apply: 'build',
    enforce: 'post',
    closeBundle: {
      sequential: true,
      order: 'post',
      handler() {
        const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
          /\.(js|css|html|svg|json|webmanifest|txt|bin)$/.test(name),
        )
        for (const file of files) {
          const full = path.join(outDir, file)
          const body = readFileSync(full)
          if (body.length < 512) continue
          writeFileSync(
            `${full}.br`,
            brotliCompressSync(body, {
              params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
            }),
          )
          writeFileSync(`${full}.gz`, gzipSync(body, { level: 9 }))
        }
      },
    },
  }
}

/** @param paths regular expressions, with slashes. @returns what matches a module at one of them */
const at = (...paths: string[]) => new RegExp(paths.join('|').replaceAll('/', '[\\\\/]'))

/** What is loaded by itself and kept for long: a change of the app does not make phones fetch it again. */
const chunks = [
  // Many small pieces in one: a phone asks once, and the worker's list of files stays short. What opens later stays apart.
  {
    name: 'kit',
    test: at(
      'pwa/ui/(?!page/|forms/|dropdown-menu|toast-stack|tabs|tooltip|illustration|qr-code|use-media|bar-card|data-table|figures|floating-bars)',
      'pwa/ui/page/(page-title|titled-page|login-required|home-screen-steps)',
      'pwa/site/closing-call',
      'pwa/(paths.ts|device/(theme|install|browser-limits|session/(session|session-state|acting)[.]))',
      'pwa/browser/(observable|browser-storage|kept-json|keeping|acting)[.]ts',
      'pwa/sync/http/(call|answer-shape|fetch-whole|reachability|server-time)[.]ts',
      'pwa/sync/(on-demand|queue/(entry|outbox)[.]ts|replica/(pending-entries|replica-state|use-outbox))',
      'node_modules/lucide-react/',
      'shared/contract/(endpoints|request|problem|roles)',
      'shared/applications/(application-status|public-fields)',
      'shared/(time|site/mended-address|record/new-id|text/(plain-text|file-name|parsed)|alerts/quiet-hours)',
      'shared/billing/(money|promo|subscription-state)[.]',
    ),
    priority: 10,
  },
  // Imports are evaluated in their order: before React.
  {
    name: 'read-ahead',
    test: at('pwa/app/read-ahead', 'pwa/browser/page-storage'),
    priority: 40,
  },
  // What the list of events, an event's page and its application form share.
  {
    name: 'public-pages',
    test: at(
      'pwa/applications/(share-row|hosted-by|came-from|calendar-menu|public-event-page|event-cover)',
      'pwa/events/event-card',
      'pwa/ui/(page/(save-file|local-time|as-of|use-now|new-content)|forms/failure-toast)',
      'pwa/device/(save-failure|site-settings|public-events)',
      'pwa/sync/http/question',
      'pwa/browser/storage-errors',
      'shared/events/cover',
      'shared/applications/archive',
      'shared/site/(articles|pages)',
    ),
    priority: 8,
  },
  // What is written on the device; without `opened-outbox` and `device-tables`, which announce it when they are loaded.
  {
    name: 'changes',
    test: at(
      'pwa/sync/queue/(mutations/|outbox-machine|store/outbox-store)',
      'pwa/sync/drain/(offer-again|settle)',
      'pwa/sync/replica/(fold|archived-applications|pending-writes|describe-entry)',
      'pwa/sync/account/durable-discards',
      'pwa/device/(device-db|alerts/(push-alerts|told-applications))',
    ),
    priority: 7,
  },
  {
    name: 'drafts',
    test: at('pwa/device/(drafts|left-drafts|device-tables)', 'pwa/ui/forms/(draft-notice|picture-picker)'),
    priority: 6,
  },
  {
    name: 'own-application',
    test: at(
      'pwa/applications/(own-application|own-standing|my-applications|own-page/(own-page-state|use-own-page|link-token))',
      'pwa/app/start-page',
      'pwa/device/(alerts/applicant-alerts|forget-application|opened-applications)',
    ),
    priority: 5,
  },
  {
    name: 'organizer',
    test: at(
      'pwa/sync/replica/use-account',
      'pwa/device/session/account-answers',
      'pwa/events/(first-copy|organizer-event-page)',
      'pwa/applications/manage/(shown-applicant|archived-applicants|figures-panel)',
      'pwa/accounts/(account-ending|unconfirmed-email|forms/sign-out-questions)',
      'pwa/billing/(plans|plans-block|subscription-card)[.]',
      'pwa/ui/(figures|use-media|data-table)',
      'shared/billing/plan[.]',
    ),
    priority: 4,
  },
  {
    name: 'contract',
    test: at(
      'shared/record/(values|record-schema)',
      'shared/(applications/application|events/event)(-calls)?[.]',
      'shared/accounts/account-(link-)?calls',
    ),
    priority: 3,
  },
  { name: 'kept-rows', test: at('pwa/sync/queue/store/(outbox-db|device-rows)'), priority: 3 },
  { name: 'kept-answers', test: at('pwa/device/browse-cache', 'pwa/sync/replica/sync-meta'), priority: 3 },
  { name: 'menus', test: at('pwa/ui/(tooltip|dropdown-menu)'), priority: 3 },
  {
    name: 'checkout-parts',
    test: at('pwa/billing/(order-total|promo-box|checkout/(checkout-shape|payment-(check|outcome)))'),
    priority: 3,
  },
  {
    name: 'react',
    test: at(
      'node_modules/(react|react-dom|scheduler|react-router|react-router-dom|cookie|set-cookie-parser)/',
      'pwa/ui/jsx-runtime',
    ),
    priority: 30,
  },
  { name: 'dexie', test: at('node_modules/dexie/'), priority: 30 },
  // Of RxDB and of the menus: in RxDB's piece, a menu would load all of it.
  { name: 'tslib', test: at('node_modules/tslib/'), priority: 30 },
  {
    name: 'rxdb',
    test: at(
      'node_modules/(rxdb|rxjs|mingo|event-reduce-js|array-push-at-sort-position|binary-decision-diagram)/',
      'node_modules/(broadcast-channel|unload|oblivious-set|p-queue|custom-idle-queue)/',
    ),
    priority: 20,
  },
  { name: 'zod', test: at('node_modules/zod/'), priority: 20 },
  { name: 'stripe', test: at('node_modules/(@stripe|prop-types|react-is|object-assign)/'), priority: 5 },
  { name: 'forms', test: at('node_modules/(react-hook-form|@hookform)/', 'pwa/ui/forms/use-zod-form'), priority: 20 },
  {
    name: 'controls',
    test: at(
      'node_modules/@radix-ui/react-(?!popper|tooltip|dropdown|menu|toast|focus|arrow|use-rect|use-size)',
      'node_modules/@radix-ui/(primitive|number)/',
      'pwa/ui/tabs',
    ),
    priority: 20,
  },
]

export default defineConfig({
  root: path.join(here, 'pwa'),
  publicDir: path.join(here, 'public'),
  cacheDir: path.join(here, 'node_modules/.vite'),
  resolve: {
    // The build for today's browsers, for the app, RxDB and the worker alike: 2.6 kB less than the one for old ones.
    alias: [{ find: /^dexie$/, replacement: path.join(here, 'node_modules/dexie/dist/modern/dexie.min.mjs') }],
  },
  plugins: [
    react({ jsxImportSource: '#jsx' }),
    documentParts(),
    tailwindcss(),
    thirdParty.collect(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'service-worker',
      filename: 'service-worker.ts',
      registerType: 'prompt',
      injectRegister: false,
      manifest,
      includeManifestIcons: false,
      injectManifest: {
        globPatterns: ['index.html', 'assets/**/*.{js,css,woff2,svg}', '*.svg', 'icon-192.png', 'badge-96.png'],
        // Paying needs the network anyway: what only the checkout document loads is never kept, and so never stale.
        globIgnores: ['**/*.map', 'service-worker.js', 'assets/card-payment-*', 'assets/stripe-*'],
        maximumFileSizeToCacheInBytes: 1_000_000,
        // The names of assets carry their hash already.
        dontCacheBustURLsMatching: /^assets\//,
        manifestTransforms: [withIntegrity],
        buildPlugins: { vite: [thirdParty.collect()] },
      },
      devOptions: { enabled: false },
    }),
    thirdParty.write(),
    precompress(),
  ],
  define: {
    'import.meta.env.VERSION': JSON.stringify(version),
    'import.meta.env.COPY_LAYOUT': JSON.stringify(await schemaHash()),
  },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Every asset is a file with a hash: data: addresses would escape the content policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: {
      input: { index: path.join(here, 'pwa/index.html'), 'card-payment': path.join(here, 'pwa/checkout.html') },
      // The doors of the sync engine only pass on: a page loads what it takes from there, not all that lies behind them.
      treeshake: { moduleSideEffects: (id) => !/\/(pwa\/sync\/index|all-mutations)\.ts$/.test(id) },
      output: { codeSplitting: { groups: chunks } },
    },
  },
  server: {
    port: 5173,
    // `npm run dev` brings its own proxy; this one is for vite started by hand beside a running server.
    proxy: { '/api': `http://127.0.0.1:${process.env['PORT'] ?? 3000}` },
  },
})
