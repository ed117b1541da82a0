import type { ComponentType, ReactNode } from 'react'
import { createBrowserRouter, Navigate, Outlet, ScrollRestoration, useParams, type RouteObject } from 'react-router-dom'
import { AppFrame } from './app-frame.tsx'
import { idFrom, paths } from './paths.ts'
import { ScreenFailure } from './screen-failure.tsx'
import { RequireSession } from './session/require-session.tsx'
import { PageSpinner } from './ui/spinner.tsx'

/** A screen that is loaded when its address is first opened. */
function screen(path: string, load: () => Promise<ComponentType>): RouteObject {
  return { path, lazy: async () => ({ Component: await load() }) }
}

function Root() {
  return (
    <>
      <AppFrame />
      <ScrollRestoration />
    </>
  )
}

function Protected() {
  return (
    <RequireSession spinner={<PageSpinner />}>
      <Outlet />
    </RequireSession>
  )
}

/** Older and guessed addresses of the edit form. */
function ToEdit(): ReactNode {
  const id = idFrom(useParams()['id'])
  return <Navigate to={id === null ? paths.dashboard : paths.editEvent(id)} replace />
}

const notFound = () => import('./screens/not-found-screen.tsx').then((module) => module.NotFoundScreen)

const publicScreens: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./screens/landing-screen.tsx')).LandingScreen }) },
  screen('auth', () => import('./screens/auth-screen.tsx').then((module) => module.AuthScreen)),
  screen('events', () => import('./screens/events-screen.tsx').then((module) => module.EventsScreen)),
  screen('events/:id', () => import('./screens/event-detail-screen.tsx').then((module) => module.EventDetailScreen)),
  screen('events/:id/apply', () => import('./screens/apply-screen.tsx').then((module) => module.ApplyScreen)),
  screen('sync', () => import('./screens/sync-screen.tsx').then((module) => module.SyncScreen)),
]

const protectedScreens: RouteObject[] = [
  screen('dashboard', () => import('./screens/dashboard-screen.tsx').then((module) => module.DashboardScreen)),
  screen('events/create', () => import('./screens/create-event-screen.tsx').then((module) => module.CreateEventScreen)),
  screen('events/edit/:id', () => import('./screens/edit-event-screen.tsx').then((module) => module.EditEventScreen)),
  screen('events/manage/:id', () => import('./screens/manage-event-screen.tsx').then((module) => module.ManageEventScreen)),
  screen('events/:eventId/customize', () => import('./screens/customize-screen.tsx').then((module) => module.CustomizeScreen)),
]

const aliases: RouteObject[] = [
  { path: 'create-event', element: <Navigate to={paths.createEvent} replace /> },
  { path: 'events/:id/edit', element: <ToEdit /> },
  { path: 'edit-event/:id', element: <ToEdit /> },
]

/** Every address of the app. Screens come with their first visit; the frame around them stays. */
export function createRouter() {
  return createBrowserRouter([
    {
      path: '/',
      element: <Root />,
      hydrateFallbackElement: <PageSpinner />,
      children: [
        {
          errorElement: <ScreenFailure />,
          children: [...publicScreens, { element: <Protected />, children: protectedScreens }, ...aliases, screen('*', notFound)],
        },
      ],
    },
  ])
}
