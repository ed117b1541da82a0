import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { followUpdates } from './device/app-update.ts'
import { followInstall } from './device/install.ts'
import { keepQueueMoving } from './device/queue-upkeep.ts'
import { followTheme } from './device/theme.ts'
import { createRouter } from './router.tsx'
import { followAccount, nameSender } from './session/follow-account.ts'
import { followSession, startSession } from './session/session-store.ts'
import './styles.css'

followTheme()
followInstall()
nameSender()
followSession()
followAccount()
void startSession()
keepQueueMoving()
followUpdates()

const router = createRouter()
navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<{ type?: unknown; path?: unknown } | null>) => {
  if (data?.type === 'open' && typeof data.path === 'string') void router.navigate(data.path)
})

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
