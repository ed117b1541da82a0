import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { MoreCard } from './profile-screen.tsx'

it('the profile says below what comes later where all of it can be done today', () => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <TooltipProvider>
        <MoreCard />
      </TooltipProvider>
    </MemoryRouter>,
  )
  expect(html).toMatch(/Until then, you can do all four in .*href="\/account-settings"[^>]*>Account Settings</)
})
