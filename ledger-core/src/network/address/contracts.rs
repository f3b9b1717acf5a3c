//! The contracts of USDT and USDC on the networks of the catalogue, issued there or bridged: coins
//! that are sent to one are lost (contract 2.1, 2.6). Nobody has the key of such an address, so it
//! is a wallet on no network of its kind.

use crate::network::Scheme;

/// Contracts by the kind of their network.
pub(super) const TOKENS: [(Scheme, &[&str]); 5] = [
    (Scheme::Evm, &EVM),
    (Scheme::Tron, &["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8"]),
    (
        Scheme::Solana,
        &[
            "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
            "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
        ],
    ),
    (Scheme::Ton, &["0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe"]),
    (
        Scheme::Starknet,
        &[
            "0x068f5c6a61780768455de69077e07e89787839bf8166decfbf92b645209c0fb8",
            "0x053c91253bc9682c04929ca02ed00b3e423f6710d2ee7e0d5ebb06f3ecf368a8",
        ],
    ),
];

/// Contracts on Ethereum and the networks that run its machine.
const EVM: [&str; 28] = [
    // eth
    "0xdac17f958d2ee523a2206206994597c13d831ec7",
    "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    // polygon
    "0xc2132d05d31c914a87c6611c10748aeb04b58e8f",
    "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359",
    "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
    // bsc
    "0x55d398326f99059ff775485246999027b3197955",
    "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
    // arbitrum
    "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
    "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
    "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8",
    // optimism
    "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58",
    "0x0b2c639c533813f4aa9d7837caf62653d097ff85",
    "0x7f5c764cbc14f9669b88837ca1490cca17c31607",
    // base
    "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2",
    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca",
    // avalanche
    "0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7",
    "0xc7198437980c041c805a1edcba50c1ce5db95118",
    "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e",
    "0xa7d7079b0fead91f3e65f86e8915cb59c1a4c664",
    // celo
    "0x48065fbbe25f71c9282ddf5e1cd6d6a887483d5e",
    "0xceba9300f2b948710d2653dd7b07f33a8b32118c",
    // plasma
    "0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb",
    // sonic
    "0x29219dd400f2bf60e5a23d13be72b486d4038894",
    // seievm
    "0xe15fc38f6d8c56af07bbcbe3baf5708a2bf42392",
    // klay
    "0xd077a400968890eacc75cdc901f0356c943e4fdb",
    // cfxevm
    "0xaf37e8b6c9ed7f6318979f56fc287d76c30847ff",
    // xdc
    "0xfa2958cb79b0491cc627c1557f441ef849ca8eb1",
];
