import { existsSync } from 'node:fs'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import { HostedBy } from '../applications/hosted-by.tsx'
import { ContactScreen } from './contact-screen.tsx'
import { LandingScreen } from './landing-screen.tsx'

const drawn = (screen: ReactNode) => renderToStaticMarkup(<MemoryRouter>{screen}</MemoryRouter>)

it('the landing page shows the product on three phones, in both themes', () => {
  const sources = [...drawn(<LandingScreen />).matchAll(/<img src="([^"]*)"/g)].map(([, source]) => source ?? '')
  expect(sources).toHaveLength(6)
  for (const source of sources) expect(existsSync(`public${source}`), source).toBe(true)
})

it('the landing page has a way in for volunteers, at its top and as a part of its own', () => {
  const doors = [...drawn(<LandingScreen />).matchAll(/<a [^>]*href="\/events"[^>]*>([^<]*)</g)]
  expect(doors.map(([, words]) => words)).toEqual(['Find an event to help at', 'Find an Event to Help At'])
})

it('the contact page names the link by which an event’s page writes to its organizer', () => {
  const organizer = { name: 'Lantern Street', contactEmail: 'hello@example.com' }
  const link = /<a [^>]*href="mailto:hello@example\.com[^>]*>([^<]+)</.exec(
    drawn(<HostedBy event={{ name: 'Makers', organizer }} />),
  )?.[1]
  expect(link).toBeDefined()
  expect(drawn(<ContactScreen />)).toContain(`“${link}”`)
})
