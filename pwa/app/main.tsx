import './read-ahead.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { mendedAddress } from '#shared/site/mended-address.ts'
import { begin, whenCopyIsRead } from './begin.ts'
import { followUpdates } from '../device/app-update.ts'
import { followInstall } from '../device/install.ts'
import { followTheme } from '../device/theme.ts'
import { probeWhileUnreachable } from '../sync/index.ts'
import { App, loadScreenAhead } from './router.tsx'
import { watchErrors } from '../device/errors/watch-errors.ts'
import { followFilledFields } from '../ui/forms/filled-fields.ts'
import '../styles.css'

watchErrors()
followTheme()
followInstall()
followFilledFields()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// What a boundary contains is an error all the same.
const drawn = createRoot(root, { onCaughtError: reportError })
const draw = () =>
  drawn.render(
    <StrictMode>
      <App />
    </StrictMode>,
  )

const { pathname, search, hash } = location
const address = mendedAddress(location)
if (address !== pathname + search + hash) history.replaceState(history.state, '', address)

const screen = loadScreenAhead(location.pathname)
void begin().catch(() => undefined)
// An organizer's list is drawn with the page, but a slow device shows that it is at work.
const ready = screen && Promise.race([Promise.all([screen, whenCopyIsRead()]), after(300)])
if (ready) void ready.catch(() => undefined).then(draw)
else draw()
followUpdates()
probeWhileUnreachable()

function after(milliseconds: number) {
  return new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
}
