/*
 * Stands in for Stripe's script in tests and development: what react-stripe-js needs of it, with a card form in a frame of
 * its own as Stripe's has. Loaded from js.stripe.com it calls api.stripe.com and sends people to hooks.stripe.com, which a
 * test answers; loaded from elsewhere it asks where it came from.
 */
;(() => {
  const { origin } = new URL(document.currentScript.src)
  const isInPlace = origin === 'https://js.stripe.com'
  const api = isInPlace ? 'https://api.stripe.com' : origin
  const bank = isInPlace ? 'https://hooks.stripe.com' : origin
  /** A card that is never answered for. */
  const unreachableCard = '4000000000000119'
  const noConnection = {
    type: 'api_connection_error',
    message: 'We are experiencing issues connecting to our payments provider. Please check your internet connection.',
  }

  class IntegrationError extends Error {
    name = 'IntegrationError'
  }

  /** Stripe's answer: the object, or why not. */
  async function ask(method, path, key, values = {}) {
    const query = new URLSearchParams({ key, ...(method === 'GET' ? values : {}) })
    try {
      const response = await fetch(`${api}${path}?${query}`, {
        method,
        ...(method === 'GET' ? {} : { body: new URLSearchParams(values) }),
      })
      const answer = await response.json()
      return response.ok ? { paymentIntent: answer } : { error: answer.error }
    } catch {
      return { error: noConnection }
    }
  }

  const intentPath = (clientSecret) => `/v1/payment_intents/${clientSecret.split('_secret_')[0]}`
  const retrieve = (key, clientSecret) => ask('GET', intentPath(clientSecret), key, { client_secret: clientSecret })

  function createElement(key, group, type) {
    if (type !== 'payment') throw new IntegrationError(`This stand-in has no ${type} element.`)
    const listeners = new Map()
    const emit = (name, event) => listeners.get(name)?.forEach((listener) => listener(event))
    let frame
    const waiting = []

    const hear = ({ source, data }) => {
      if (!frame || source !== frame.contentWindow) return
      if (data.type === 'loaded') tell({ type: 'look', appearance: group.appearance })
      if (data.type === 'height') {
        const isFirst = frame.style.height === '0px'
        frame.style.height = `${data.height}px`
        if (isFirst) emit('ready', { elementType: 'payment' })
      }
      if (data.type === 'change') emit('change', { elementType: 'payment', ...data.event })
      if (data.type === 'values') waiting.shift()?.(data.values)
    }
    const tell = (message) => frame?.contentWindow?.postMessage(message, origin)

    async function load(node) {
      const { error } = await retrieve(key, group.clientSecret)
      if (!node.isConnected) return
      if (error) {
        emit('loaderror', { elementType: 'payment', error })
        return
      }
      frame = document.createElement('iframe')
      frame.title = 'Secure payment input frame'
      frame.src = `${origin}/endive/card-form.html`
      // Room for the outline of a field with the focus.
      Object.assign(frame.style, {
        display: 'block',
        width: 'calc(100% + 8px)',
        height: '0',
        margin: '-4px',
        border: '0',
      })
      addEventListener('message', hear)
      node.append(frame)
    }

    const element = {
      on: (name, listener) => {
        listeners.set(name, (listeners.get(name) ?? new Set()).add(listener))
        return element
      },
      off: (name, listener) => {
        if (listener) listeners.get(name)?.delete(listener)
        else listeners.delete(name)
        return element
      },
      once: (name, listener) => {
        const once = (event) => {
          element.off(name, once)
          listener(event)
        }
        return element.on(name, once)
      },
      mount: (node) => void load(node),
      update: () => element,
      focus: () => frame?.focus(),
      blur: () => frame?.blur(),
      clear: () => tell({ type: 'clear' }),
      unmount: () => frame?.remove(),
      destroy: () => {
        removeEventListener('message', hear)
        frame?.remove()
        frame = undefined
        group.element = undefined
      },
      look: () => tell({ type: 'look', appearance: group.appearance }),
      /** What was typed; the frame marks what is missing. */
      read: () =>
        new Promise((resolve) => {
          if (!frame) throw new IntegrationError('The payment element is not mounted.')
          waiting.push(resolve)
          tell({ type: 'read' })
        }),
    }
    return element
  }

  function createElements(key, { clientSecret, appearance } = {}) {
    if (typeof clientSecret !== 'string' || !clientSecret.includes('_secret_'))
      throw new IntegrationError('In order to create a payment element, you must pass a clientSecret.')
    const group = { clientSecret, appearance, element: undefined }
    return {
      group,
      create: (type) => {
        if (group.element) throw new IntegrationError('Can only create one Element of type payment through elements().')
        group.element = createElement(key, group, type)
        return group.element
      },
      getElement: () => group.element ?? null,
      update: (options) => {
        group.appearance = options.appearance ?? group.appearance
        group.element?.look()
      },
      fetchUpdates: async () => ({}),
      submit: async () => ({}),
    }
  }

  function addToAddress(address, values) {
    const url = new URL(address)
    for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
    return url.href
  }

  async function confirmPayment(key, { elements, confirmParams, redirect = 'always' }) {
    const returnUrl = confirmParams?.return_url
    if (!returnUrl) throw new IntegrationError('confirmParams.return_url is required.')
    const { group } = elements
    const { problem, number, expiry, code } = await group.element.read()
    if (problem) return { error: { type: 'validation_error', ...problem } }
    if (number === unreachableCard) return { error: noConnection }
    const { clientSecret } = group
    const answer = await ask('POST', `${intentPath(clientSecret)}/confirm`, key, {
      client_secret: clientSecret,
      return_url: returnUrl,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': expiry.slice(0, 2),
      'payment_method_data[card][exp_year]': expiry.slice(2),
      'payment_method_data[card][cvc]': code,
    })
    if (answer.error) return answer
    const { id, status } = answer.paymentIntent
    const identifiers = { payment_intent: id, payment_intent_client_secret: clientSecret }
    if (status === 'requires_action') {
      location.assign(addToAddress(`${bank}/endive/bank.html`, { ...identifiers, return_url: returnUrl }))
      return await new Promise(() => undefined)
    }
    if (redirect === 'always') {
      location.assign(addToAddress(returnUrl, { ...identifiers, redirect_status: 'succeeded' }))
      return await new Promise(() => undefined)
    }
    return answer
  }

  const notHere = (name) => () => {
    throw new IntegrationError(`This stand-in cannot ${name}.`)
  }

  function Stripe(key) {
    if (!/^pk_\w+$/.test(key))
      throw new IntegrationError('Invalid value for Stripe(): apiKey should be a publishable key.')
    return {
      elements: (options) => createElements(key, options),
      confirmPayment: (options) => confirmPayment(key, options),
      retrievePaymentIntent: (clientSecret) => retrieve(key, clientSecret),
      createToken: notHere('createToken'),
      createPaymentMethod: notHere('createPaymentMethod'),
      confirmCardPayment: notHere('confirmCardPayment'),
      registerAppInfo: () => undefined,
      _registerWrapper: () => undefined,
    }
  }
  Stripe.version = 'endive'
  window.Stripe = Stripe
})()
